import type { Client } from '@swath/client/client.ts'
import { readSearchArea, toGeometry, type SearchGeometry } from '../catalog/area.ts'
import type { PricedCaptures } from '../catalog/prices.ts'
import { findScenes, toCapture, type SceneCapture, type PricedScene } from '../catalog/scenes.ts'
import { searchScenes } from '../commands/search.ts'
import type { CommandContext } from '../context.ts'
import { CommandFailure } from '../failures.ts'
import { isLicensed, listHeldCaptures, type HeldCapture } from './held-captures.ts'
import type { PlannedOrder } from './read-plan.ts'

/** What would be bought for one order of the file. */
export interface OrderPlan {
  readonly name: string
  readonly projectId: string | null
  readonly licence: string | null
  /** What is ordered or held already. */
  readonly held: readonly { readonly id: string; readonly order_id: string; readonly status: string }[]
  readonly buy: readonly SceneCapture[]
  readonly lines: NonNullable<PricedCaptures['lines']>
  readonly total_credits: number
}

export interface PurchasePlan {
  /** What was ordered when the plan was made, as a digest. */
  readonly basis: string
  readonly orders: readonly OrderPlan[]
  readonly total_credits: number
}

/** The difference between what a file wants and what is ordered already, with prices. Nothing is stored. */
export async function makePlan(
  context: CommandContext,
  client: Client,
  orders: readonly PlannedOrder[],
): Promise<PurchasePlan> {
  // prettier-ignore
  const { captures: held, basis } = await listHeldCaptures(client)
  const plans: OrderPlan[] = []
  const taken: SceneCapture[] = []
  for (const order of orders) {
    const plan = await planOrder(context, client, order, { held, taken })
    taken.push(...plan.buy)
    plans.push(plan)
  }
  return { basis, orders: plans, total_credits: plans.reduce((sum, { total_credits }) => sum + total_credits, 0) }
}

async function planOrder(
  context: CommandContext,
  client: Client,
  order: PlannedOrder,
  { held, taken }: { readonly held: readonly HeldCapture[]; readonly taken: readonly SceneCapture[] },
): Promise<OrderPlan> {
  const area = order.area === undefined ? null : toGeometry(order.area)
  const scenes = await findOrderScenes(context, client, order, area)
  const wanted = scenes.map((scene) => toCapture(scene, area))
  const licence = order.licence ?? null
  const licensed = held.filter((other) => isLicensed(other, licence))
  const present = wanted.flatMap((capture) => licensed.find((other) => isSameCapture(other, capture)) ?? [])
  const buy = wanted.filter((capture) => ![...licensed, ...taken].some((other) => isSameCapture(other, capture)))
  const priced = buy.length === 0 ? null : await client.call<PricedCaptures>('orders.archive.estimate', toPriceRequest(buy, licence)) // prettier-ignore
  return {
    name: order.name,
    projectId: order.project ?? null,
    licence,
    held: present.map(({ id, order_id, status }) => ({ id, order_id, status })),
    buy,
    lines: priced?.lines ?? [],
    total_credits: priced?.total_credits ?? 0,
  }
}

/** The input of an estimate or a quote. */
export const toPriceRequest = (captures: readonly SceneCapture[], licence: string | null): Record<string, unknown> => ({
  captures,
  ...(licence === null ? {} : { licenseType: licence }),
})

async function findOrderScenes(
  context: CommandContext,
  client: Client,
  { name, scenes, search, host }: PlannedOrder,
  area: SearchGeometry | null,
): Promise<readonly PricedScene[]> {
  // prettier-ignore
  if (scenes !== undefined) return findScenes(client, scenes, host === undefined ? {} : { host })
  const { place, bbox, from, to, cloud, collection, limit = 10 } = search ?? {}
  const where = area && !place && !bbox ? { intersects: area } : await readSearchArea(context, client, place, bbox ? { bbox: bbox.join(',') } : {}) // prettier-ignore
  const { features } = await searchScenes(client, where, {
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(cloud === undefined ? {} : { cloud: String(cloud) }),
    ...(host ? { host: [host] } : {}),
    ...(collection ? { collection: [collection] } : {}),
    limit: String(limit),
  })
  if (features.length === 0) throw new CommandFailure('notFound', `The search of "${name}" finds nothing.`)
  return features
}

/** The same scene of the same host, with the same area. */
export const isSameCapture = (a: SceneCapture, b: SceneCapture): boolean =>
  a.id === b.id && (a.host === undefined || b.host === undefined || a.host === b.host) && isSameArea(a.geometry, b.geometry) // prettier-ignore

const isSameArea = (a: SearchGeometry, b: SearchGeometry): boolean =>
  a.type === b.type && JSON.stringify(a.coordinates) === JSON.stringify(b.coordinates)
