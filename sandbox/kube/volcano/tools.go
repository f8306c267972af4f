//go:build tools

package tools

import _ "volcano.sh/volcano/cmd/scheduler"
