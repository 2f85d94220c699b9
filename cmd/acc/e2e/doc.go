// Package e2e holds tests with the real coding agents. They run when ACC_E2E
// names the clients, which make e2e installs:
//
//	ACC_E2E           folders of clients, such as claude,codex; without it nothing runs
//	ACC_E2E_CLIENTS   the folder that these lie in; default testdata/clients
//	ACC_E2E_REQUIRED  when set, a client that is not installed fails the test
//
// Nothing goes beyond loopback: the model is a script.
package e2e
