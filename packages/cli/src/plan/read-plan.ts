import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { usageFailure } from '../failures.ts'

/** One wanted order of a file: scenes by id, or what a search finds. */
export interface PlannedOrder {
  readonly name: string
  readonly project?: string
  readonly scenes?: readonly string[]
  readonly search?: {
    readonly place?: string
    readonly bbox?: readonly number[]
    readonly from?: string
    readonly to?: string
    readonly cloud?: number
    readonly collection?: string
    readonly limit?: number
  }
  readonly host?: string
  /** GeoJSON, or the path of a file of it, from the folder of the plan. */
  readonly area?: unknown
  readonly licence?: string
}

const searchMembers = new Set(['place', 'bbox', 'from', 'to', 'cloud', 'collection', 'limit'])
const members = new Set(['name', 'project', 'scenes', 'search', 'host', 'area', 'licence'])

/** Reads a file of orders: YAML, of which JSON is a part. Throws a sentence for what is not such a file. */
export async function readPlanFile(path: string): Promise<PlannedOrder[]> {
  const { parse } = await import('yaml')
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(`${path} cannot be read (${error.code}).`)
  })
  let document: unknown
  try {
    document = parse(text)
  } catch (error) {
    throw usageFailure(`${path} is not YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  const orders = (document as { orders?: unknown } | null)?.orders
  if (!Array.isArray(orders) || orders.length === 0) throw usageFailure(`${path} needs a list "orders".`)
  const checked = orders.map((order, index) => checkOrder(order, `${path}: order ${index + 1}`))
  const twice = checked.find(({ name }, index) => checked.findIndex((other) => other.name === name) !== index)
  if (twice) throw usageFailure(`${path}: two orders are called "${twice.name}".`)
  return Promise.all(checked.map((order) => loadArea(order, dirname(path))))
}

function checkOrder(value: unknown, where: string): PlannedOrder {
  if (typeof value !== 'object' || value === null) throw usageFailure(`${where} is not an object.`)
  const order = value as PlannedOrder
  const unknown = Object.keys(order).filter((name) => !members.has(name))
  if (unknown.length > 0) throw usageFailure(`${where}: "${unknown[0]}" is not a member; there are ${[...members].join(', ')}.`) // prettier-ignore
  if (typeof order.name !== 'string' || order.name === '') throw usageFailure(`${where} needs a name.`)
  if ((order.scenes === undefined) === (order.search === undefined)) throw usageFailure(`${where} needs either "scenes" or "search".`) // prettier-ignore
  if (
    order.scenes !== undefined &&
    !(Array.isArray(order.scenes) && order.scenes.every((id) => typeof id === 'string'))
  )
    throw usageFailure(`${where}: "scenes" must be a list of ids.`)
  checkSearch(order.search, where)
  return order
}

/** A member that is not known would leave the search without a condition, and buy what nobody wants. */
function checkSearch(search: unknown, where: string): void {
  if (search === undefined) return
  if (typeof search !== 'object' || search === null || Array.isArray(search))
    throw usageFailure(`${where}: "search" must be an object.`)
  const unknown = Object.keys(search).find((name) => !searchMembers.has(name))
  if (unknown !== undefined) throw usageFailure(`${where}: "search" has no member "${unknown}"; there are ${[...searchMembers].join(', ')}.`) // prettier-ignore
}

async function loadArea(order: PlannedOrder, folder: string): Promise<PlannedOrder> {
  if (typeof order.area !== 'string') return order
  const path = join(folder, order.area)
  try {
    return { ...order, area: JSON.parse(await readFile(path, 'utf8')) as unknown }
  } catch (error) {
    throw usageFailure(`The area of "${order.name}" cannot be read from ${path}: ${(error as Error).message}`)
  }
}
