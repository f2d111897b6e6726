import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import { findCollectionOfSource, insertCollection } from './store.ts'

/** An order or a job, the results of which have a collection of their own. */
export interface ResultSource {
  readonly type: 'order' | 'job'
  readonly id: string
}

export interface ResultCollectionInput {
  readonly project_id: string
  readonly source: ResultSource
  /** The name of the source; a number is appended if the project already has a collection of that name. */
  readonly name: string
}

const max_name_length = 255
const max_name_suffix = 20

/** The id of the collection of the results of an order or a job; created by the first of them, then found by the source. */
export async function ensureResultCollection(tx: Tx, actor: Actor, input: ResultCollectionInput): Promise<string> {
  const { source } = input
  for (let number = 1; number <= max_name_suffix + 1; number++) {
    const existing = await findCollectionOfSource(tx, actor.organization, source.type, source.id)
    if (existing) return existing.id
    // Null: the name is taken, or a concurrent delivery of this order created the collection.
    const createdId = await createResultCollection(tx, actor, input, collectionName(input, number))
    if (createdId !== null) return createdId
  }
  throw new Error('the collection of results could be neither created nor found')
}

/** The name, then with a number, finally with the id of the source, which is unique. */
function collectionName({ name, source }: ResultCollectionInput, number: number): string {
  const suffix = number === 1 ? '' : number <= max_name_suffix ? ` (${number})` : ` ${source.id}`
  return `${name.slice(0, max_name_length - suffix.length)}${suffix}`
}

async function createResultCollection(
  tx: Tx,
  actor: Actor,
  { project_id, source }: ResultCollectionInput,
  name: string,
): Promise<string | null> {
  const row = await insertCollection(tx, {
    organization_id: actor.organization,
    id: newId(),
    project_id,
    name,
    description: null,
    color: null,
    show_on_map: true,
    layer_order: 0,
    auto_created: true,
    source_type: source.type,
    source_id: source.id,
    created_by: actor.principal.id,
    created_at: actor.clock.now(),
  })
  if (!row) return null
  await emitEvent(tx, actor, {
    kind: 'collection.created',
    entity_type: 'collection',
    entity_id: row.id,
    data: {
      project_id: row.project_id,
      name: row.name,
      ...(source.type === 'order' ? { order_id: source.id } : { job_id: source.id }),
    },
  })
  return row.id
}
