import type { SqlStatementRunner } from '../database.ts'
import { sql } from '../sql.ts'
import { databaseDistributionRefused } from './plan.ts'

/** The result of a command on the node, or the shard, with this number. */
export interface NodeCommandResult {
  readonly id: number
  readonly result: string
}

/**
 * Runs a command on each node of Citus; with a table, on each of its shards, whose name stands for `%s`. Throws
 * `distribution-refused`, beginning with `refusal`, if one of them refuses it or does not respond.
 */
export async function runOnNodes(
  owner: SqlStatementRunner,
  command: string,
  refusal: string,
  table: string | null = null,
): Promise<NodeCommandResult[]> {
  const [kind, call] =
    table === null
      ? ['node', sql`run_command_on_all_nodes(${command})`]
      : ['shard', sql`run_command_on_shards(${`public."${table}"`}::regclass, ${command})`]
  const results = await owner.query<NodeCommandResult & { readonly success: boolean }>(
    sql`select id, success, result from ${call} as called (id, success, result)`,
  )
  const failed = results.find(({ success }) => !success)
  if (failed) throw databaseDistributionRefused(`${refusal}: ${failed.result} (${kind} ${failed.id})`)
  return results
}
