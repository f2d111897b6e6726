import type { SqlStatementRunner } from '../database.ts'
import { runOnNodes } from './node-commands.ts'
import { databaseDistributionRefused } from './plan.ts'

/** Settings of the nodes that a transaction does not send them, because each would be one more statement there. */
const nodeSettings = { timezone: /^(Etc\/)?UTC$/, datestyle: /^ISO\b/, jit: /^off$/ } as const

/** Throws `distribution-refused` unless each node of Citus responds, and computes dates and plans statements as this program does. */
export async function requireNodeSettings(owner: SqlStatementRunner): Promise<void> {
  for (const [name, expected] of Object.entries(nodeSettings)) {
    const nodes = await runOnNodes(owner, `select current_setting('${name}')`, 'a node does not respond')
    const other = nodes.find(({ result }) => !expected.test(result))
    if (other)
      throw databaseDistributionRefused(
        `${name} of node ${other.id} is ${other.result}: set timezone = 'UTC', datestyle = 'ISO' and jit = off on each node`,
      )
  }
}
