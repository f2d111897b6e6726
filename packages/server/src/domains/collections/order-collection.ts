import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../engine/actor.ts'
import { emitEvent } from '../events/emit.ts'
import { findCollectionOfSource, insertCollection } from './store.ts'

export interface OrderCollectionInput {
  readonly project_id: string
  readonly order_id: string
  /** The order's name; a number is appended if the project already has a collection of that name. */
  readonly name: string
}

const max_name_length = 255
const max_name_suffix = 20

/** The id of the collection that an order delivers into; created by the first delivery, then found by order id. */
export async function ensureOrderCollection(tx: Tx, actor: Actor, order: OrderCollectionInput): Promise<string> {
  for (let number = 1; number <= max_name_suffix + 1; number++) {
    const existing = await findCollectionOfSource(tx, actor.organization, 'order', order.order_id)
    if (existing) return existing.id
    // Null: the name is taken, or a concurrent delivery of this order created the collection.
    const createdId = await createOrderCollection(tx, actor, order, collectionName(order, number))
    if (createdId !== null) return createdId
  }
  throw new Error('the collection of an order could be neither created nor found')
}

/** The order's name, then with a number, finally with the order id, which is unique. */
function collectionName({ name, order_id }: OrderCollectionInput, number: number): string {
  const suffix = number === 1 ? '' : number <= max_name_suffix ? ` (${number})` : ` ${order_id}`
  return `${name.slice(0, max_name_length - suffix.length)}${suffix}`
}

async function createOrderCollection(
  tx: Tx,
  actor: Actor,
  order: OrderCollectionInput,
  name: string,
): Promise<string | null> {
  const row = await insertCollection(tx, {
    organization_id: actor.organization,
    id: newId(),
    project_id: order.project_id,
    name,
    description: null,
    color: null,
    show_on_map: true,
    layer_order: 0,
    auto_created: true,
    source_type: 'order',
    source_id: order.order_id,
    created_by: actor.principal.id,
    created_at: actor.clock.now(),
  })
  if (!row) return null
  await emitEvent(tx, actor, {
    kind: 'collection.created',
    entity_type: 'collection',
    entity_id: row.id,
    data: { project_id: row.project_id, name: row.name, order_id: order.order_id },
  })
  return row.id
}
