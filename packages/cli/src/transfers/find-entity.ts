import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { CommandFailure, usageFailure } from '../failures.ts'

/** What an id can be of. */
export type EntityKind = 'order' | 'item' | 'collection' | 'project' | 'job' | 'upload'

export interface Entity {
  readonly kind: EntityKind
  readonly id: string
}

/** The operation that reads each kind, and the member of its input. */
const readers: Readonly<Record<EntityKind, readonly [operation: string, member: string]>> = {
  order: ['orders.get', 'order_id'],
  item: ['items.get', 'item_id'],
  collection: ['collections.get', 'collection_id'],
  project: ['projects.get', 'project_id'],
  job: ['processing.job.get', 'job_id'],
  upload: ['uploads.get', 'upload_id'],
}

const isKind = (word: string): word is EntityKind => Object.hasOwn(readers, word)

/**
 * What arguments name: a kind and an id, or an id alone, for which the platform is asked. Throws if none of the kinds has it.
 *
 * @param kinds those that the command can use
 */
export async function findEntity(
  client: Client,
  words: readonly string[],
  kinds: readonly EntityKind[],
): Promise<Entity> {
  // prettier-ignore
  const [first = '', second, ...more] = words
  if (more.length > 0 || (second !== undefined && !(isKind(first) && kinds.includes(first))))
    throw usageFailure(`Name an id, with its kind in front if you like: ${kinds.join(', ')}.`)
  if (second !== undefined) return { kind: first as EntityKind, id: second }
  for (const kind of kinds) if (await exists(client, kind, first)) return { kind, id: first }
  throw new CommandFailure('notFound', `Nothing that you can see has the id ${first}: neither ${kinds.join(', nor ')}.`)
}

/** An id of another form is one of nothing. */
const absent = new Set([404, 410, 422])

async function exists(client: Client, kind: EntityKind, id: string): Promise<boolean> {
  const [operation, member] = readers[kind]
  try {
    await client.call(operation, { [member]: id })
    return true
  } catch (error) {
    if (error instanceof ApiProblem && (absent.has(error.status) || error.problem === 'not-a-member')) return false
    throw error
  }
}
