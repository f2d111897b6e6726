import type { Module } from '../../engine/task.ts'
import { advanceSandboxClock } from './operations/sandbox.clock.advance.ts'
import { getSandboxClock } from './operations/sandbox.clock.get.ts'
import { resetSandboxOrganization } from './operations/sandbox.reset.ts'
import { runScenario } from './operations/sandbox.scenario.run.ts'

export const sandbox: Module = {
  name: 'sandbox',
  handlers: [getSandboxClock, advanceSandboxClock, runScenario, resetSandboxOrganization],
  tasks: [],
}
