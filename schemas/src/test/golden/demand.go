// Reads vectors.json and prints it anew: for each pod in it, what the real scheduler's own functions make of it
// after the API server's defaults. How to run it: see the module's README.
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
	Status json.RawMessage  `json:"status,omitempty"`
	Demand map[string]int64 `json:"demand"`
	Limits map[string]int64 `json:"limits,omitempty"`
}

// As the scheduler of 1.36 asks, with its feature gates as they come.
var options = resourcehelper.PodResourcesOptions{
	UseStatusResources:                             true,
	InPlacePodLevelResourcesVerticalScalingEnabled: true,
}

func main() {
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var vectors []vector
	check(json.Unmarshal(text, &vectors))
	fmt.Println("[")
	for i, vector := range vectors {
		pod := &v1.Pod{}
		check(json.Unmarshal(vector.Spec, &pod.Spec))
		if vector.Status != nil {
			check(json.Unmarshal(vector.Status, &pod.Status))
		}
		corev1.SetObjectDefaults_Pod(pod)
		vector.Demand = units(resourcehelper.PodRequests(pod, options))
		vector.Demand["pods"] = 1
		// As the quota controller counts limits.
		vector.Limits = units(resourcehelper.PodLimits(pod, options))
		printOnALine(vector, i+1 == len(vectors))
	}
	fmt.Println("]")
}

func units(list v1.ResourceList) map[string]int64 {
	sum := framework.NewResource(list)
	amounts := map[string]int64{}
	put(amounts, "cpu", sum.MilliCPU)
	put(amounts, "memory", sum.Memory)
	put(amounts, "ephemeral-storage", sum.EphemeralStorage)
	for name, amount := range sum.ScalarResources {
		put(amounts, string(name), amount)
	}
	return amounts
}

func put(demand map[string]int64, name string, amount int64) {
	if amount != 0 {
		demand[name] = amount
	}
}

func printOnALine(vector vector, last bool) {
	spec, err := json.Marshal(vector)
	check(err)
	comma := ","
	if last {
		comma = ""
	}
	fmt.Printf("%s%s\n", spec, comma)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
