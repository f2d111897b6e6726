import type { SqlStatementRunner } from '../database.ts'
import { sql } from '../sql.ts'
import { databaseDistributionRefused } from './plan.ts'

/** Settings of the nodes that a transaction does not send them, because each would be one more statement there. */
const nodeSettings = { timezone: /^(Etc\/)?UTC$/, datestyle: /^ISO\b/ } as const

/** Throws `distribution-refused` unless each node of Citus responds, and computes dates as this program does. */
export async function requireNodeSettings(owner: SqlStatementRunner): Promise<void> {
  for (const [name, expected] of Object.entries(nodeSettings)) {
    const nodes = await owner.query<{ nodeid: number; success: boolean; result: string }>(
      sql`select nodeid, success, result from run_command_on_all_nodes(${`select current_setting('${name}')`})`,
    )
    const other = nodes.find(({ success, result }) => !success || !expected.test(result))
    if (other?.success === false)
      throw databaseDistributionRefused(`node ${other.nodeid} does not respond: ${other.result}`)
    if (other)
      throw databaseDistributionRefused(
        `${name} of node ${other.nodeid} is ${other.result}: set timezone = 'UTC' and datestyle = 'ISO' on each node`,
      )
  }
}
