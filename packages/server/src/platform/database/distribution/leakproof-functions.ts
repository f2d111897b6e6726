import type { DbConnection } from '../database.ts'
import { getStatementRunner } from '../raw.ts'
import { runOnNodes } from './node-commands.ts'

/** The functions of PostGIS that are marked on a node, as one text. */
const listMarked = `
  select coalesce(string_agg(p.oid::regprocedure::text, ';' order by p.oid::regprocedure::text), '') as names
  from pg_catalog.pg_proc p
  where p.proleakproof and p.pronamespace = 'public'::regnamespace
    and p.proargtypes[0] = 'public.geometry'::regtype and p.proargtypes[1] = 'public.geometry'::regtype`

/** Marks on all nodes, as a superuser, what is marked on the coordinator. */
export const markOnAllNodes = `select run_command_on_all_nodes(format('alter function %s leakproof', oid::regprocedure)) from pg_proc where proleakproof and pronamespace = 'public'::regnamespace`

/**
 * Repeats on each node what `swath_mark_leakproof` did on this one: searches run under the policies there. Returns all functions that
 * are marked. Throws `distribution-refused` with the statement for a superuser if one is not marked and this role may not do it.
 */
export async function markLeakproofOnNodes(owner: DbConnection): Promise<string[]> {
  const { rows } = await getStatementRunner(owner).run(listMarked, [])
  const functions = String(rows[0]!['names']).split(';').filter(Boolean)
  const nodes = await runOnNodes(owner, listMarked, 'a node does not say which functions are leakproof')
  const missing = functions.filter((name) => nodes.some(({ result }) => !result.split(';').includes(name)))
  const refusal = `a node does not mark functions leakproof: as a superuser run "${markOnAllNodes}", then repeat this`
  for (const name of missing) await runOnNodes(owner, `alter function ${name} leakproof`, refusal)
  return functions
}
