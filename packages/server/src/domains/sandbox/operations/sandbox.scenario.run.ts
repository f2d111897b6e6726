import { sandboxScenarioRunOperation } from '@swath/contract/operations/sandbox.ts'
import { defineHandler } from '../../../engine/handler.ts'
import { Problem, validationProblem } from '../../../engine/problem.ts'
import { newId } from '../../../platform/ids.ts'
import { insertSandboxScenario, listSandboxScenarios } from '../../../platform/integrations/sandbox/store.scenarios.ts'
import { requireSandboxAdmin } from '../access.ts'

const max_open_scenarios = 1000

export const handler = defineHandler(sandboxScenarioRunOperation, async (call, { scenario }) => {
  const organization = await requireSandboxAdmin(call)
  const { kind, times, ...rest } = scenario
  const { host = null, ...parameters } = rest as { readonly host?: string }
  if (host !== null && !call.integrations.hosts.has(host))
    throw validationProblem([{ path: 'scenario.host', message: `there is no host "${host}"` }])
  const rows = await call.transaction(async (tx) => {
    const now = call.clock.now()
    await insertSandboxScenario(tx, organization, {
      id: newId(),
      kind,
      host,
      parameters,
      remaining: times,
      created_at: now,
    })
    const open = await listSandboxScenarios(tx, organization)
    if (open.length < max_open_scenarios) return open
    throw new Problem('invalid-state', 'The sandbox has too many open scenarios.')
  })
  return {
    scenarios: rows.map((row) => ({
      id: row.id,
      kind: row.kind,
      host: row.host,
      remaining: row.remaining,
      created_at: row.created_at.toISOString(),
    })),
  }
})
