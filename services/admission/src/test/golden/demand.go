// Reads demand-vectors.json and prints it anew: for each pod spec in it, what the real scheduler's own
// functions make of it after the API server's defaults. How to run it: see the module's README.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	v1 "k8s.io/api/core/v1"
	resourcehelper "k8s.io/component-helpers/resource"
	corev1 "k8s.io/kubernetes/pkg/apis/core/v1"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

type vector struct {
	Name   string           `json:"name"`
	Spec   json.RawMessage  `json:"spec"`
	Demand map[string]int64 `json:"demand"`
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var vectors []vector
	check(json.Unmarshal(text, &vectors))
	for i := range vectors {
		pod := &v1.Pod{}
		check(json.Unmarshal(vectors[i].Spec, &pod.Spec))
		corev1.SetObjectDefaults_Pod(pod)
		sum := framework.NewResource(resourcehelper.PodRequests(pod, resourcehelper.PodResourcesOptions{}))
		demand := map[string]int64{"pods": 1}
		put(demand, "cpu", sum.MilliCPU)
		put(demand, "memory", sum.Memory)
		put(demand, "ephemeral-storage", sum.EphemeralStorage)
		for name, amount := range sum.ScalarResources {
			put(demand, string(name), amount)
		}
		vectors[i].Demand = demand
	}
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	check(out.Encode(vectors))
}

func put(demand map[string]int64, name string, amount int64) {
	if amount != 0 {
		demand[name] = amount
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
