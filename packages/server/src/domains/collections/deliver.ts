import { invariant } from '../../engine/problem.ts'
import type { Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { emit, type Actor } from '../events/emit.ts'
import { findCollectionOfSource, insertCollection, isNameTaken } from './store.ts'

export interface OrderCollection {
  readonly project_id: string
  readonly order_id: string
  /** The order's name; a number is added where the project has the name already. */
  readonly name: string
}

const name_length = 255

/** The collection that an order delivers into: made with the first delivery, then found again by the order. Its id. */
export async function ensureOrderCollection(tx: Tx, actor: Actor, order: OrderCollection): Promise<string> {
  const known = await findCollectionOfSource(tx, actor.organization, 'order', order.order_id)
  if (known) return known.id
  const row = await insertCollection(tx, {
    organization_id: actor.organization,
    id: newId(),
    project_id: order.project_id,
    name: await freeName(tx, actor.organization, order),
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
  // A delivery beside this one was faster: a waiting insert sees its row once it has committed.
  const made = row ?? (await findCollectionOfSource(tx, actor.organization, 'order', order.order_id))
  invariant(made, 'the collection of an order was neither made nor found')
  if (row) {
    await emit(tx, actor, {
      kind: 'collection.created',
      entity_type: 'collection',
      entity_id: row.id,
      data: { project_id: row.project_id, name: row.name, order_id: order.order_id },
    })
  }
  return made.id
}

async function freeName(tx: Tx, organization: string, order: OrderCollection): Promise<string> {
  for (let number = 1; number <= 20; number++) {
    const ending = number === 1 ? '' : ` (${number})`
    const name = `${order.name.slice(0, name_length - ending.length)}${ending}`
    if (!(await isNameTaken(tx, organization, order.project_id, name))) return name
  }
  return `${order.name.slice(0, name_length - 40)} ${order.order_id}`
}
