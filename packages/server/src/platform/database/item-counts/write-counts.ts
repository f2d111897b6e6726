import type { Tx } from '../database.ts'
import { acquireAdvisoryLock } from '../named-lock.ts'
import { sql, type Sql } from '../sql.ts'
import { noCollectionId } from './no-collection.ts'
import { splitIntoBatches, buildValuesList, prepareByListLength } from '../statements/values-list.ts'

/** Items of a project, collection and band of cloud cover that came (above zero) or left. */
interface CountChange {
  readonly project_id: string
  readonly collection_id: string
  readonly cloud: number
  readonly items: number
  readonly found: number
}

/** The combined extent of items; times are texts, which preserve microseconds. */
interface Extent {
  readonly west: number | null
  readonly south: number | null
  readonly east: number | null
  readonly north: number | null
  readonly earliest: string | null
  readonly latest: string | null
  readonly ends: string | null
  readonly least_clouds: number | null
  readonly most_clouds: number | null
  readonly finest: number | null
  readonly coarsest: number | null
}

/** Items that came to a month (sign 1, `found` above zero) or left it (sign -1). */
export interface MonthlyItemCountChange extends Extent {
  readonly project_id: string
  readonly collection_id: string
  readonly month: string
  readonly sign: 1 | -1
  readonly found: number
}

/** Values of a property that came (above zero) or left. */
interface PropertyChange {
  readonly project_id: string
  readonly collection_id: string
  readonly name: string
  readonly type: string
  readonly found: number
}

/** The changes of one statement to the counts of items; null is an empty list. */
export interface ItemCountChanges {
  /** The bytes of metadata and geometries. */
  readonly bytes: number
  readonly counts: readonly CountChange[] | null
  readonly months: readonly MonthlyItemCountChange[] | null
  readonly properties: readonly PropertyChange[] | null
}

/** Serializes the writers of the totals of files and items of an organization until the transaction ends. */
export const lockStorageTotals = (tx: Tx, organization: string): Promise<void> =>
  acquireAdvisoryLock(tx, `stored bytes of ${organization}`)

/**
 * Adds the changes of statements to the stored counts. Under a lock: each statement in here sees the changes committed
 * before the transaction had it, so that a month that is measured again lacks nothing; uncommitted ones are added by
 * their own transaction.
 */
export async function writeItemCounts(
  tx: Tx,
  organization: string,
  results: readonly ItemCountChanges[],
): Promise<void> {
  const changes = results.filter(
    ({ bytes, counts, months, properties }) => bytes !== 0 || counts || months || properties,
  )
  if (changes.length === 0) return
  await lockStorageTotals(tx, organization)
  for (const change of changes) await addChange(tx, organization, change)
  const monthsLeft = mergeMonthsLeft(changes.flatMap(({ months }) => months ?? []))
  for (const batch of splitIntoBatches(monthsLeft)) await narrowMonths(tx, organization, batch)
  const lessened = changes.flatMap(({ properties }) => properties ?? []).filter(({ found }) => found < 0)
  for (const batch of splitIntoBatches(lessened)) await removeEmptyProperties(tx, organization, batch)
}

async function addChange(
  tx: Tx,
  organization: string,
  { bytes, counts, months, properties }: ItemCountChanges,
): Promise<void> {
  const lists = [toBatches(counts), toBatches(mergeMonths(months ?? [])), toBatches(properties)] as const
  const statements = Math.max(1, ...lists.map(({ length }) => length))
  for (let index = 0; index < statements; index++)
    await addCounts(tx, organization, {
      bytes: index === 0 ? bytes : 0,
      counts: lists[0][index] ?? [],
      months: lists[1][index] ?? [],
      properties: lists[2][index] ?? [],
    })
}

const nothing: Extent = {
  west: null,
  south: null,
  east: null,
  north: null,
  earliest: null,
  latest: null,
  ends: null,
  least_clouds: null,
  most_clouds: null,
  finest: null,
  coarsest: null,
}

const monthKey = ({ project_id, collection_id, month }: MonthlyItemCountChange): string =>
  `${project_id} ${collection_id} ${month}`

/** One row for each month: the items that came less those that left, and what those that came cover. */
function mergeMonths(changes: readonly MonthlyItemCountChange[]): MonthlyItemCountChange[] {
  const months = new Map<string, MonthlyItemCountChange>()
  for (const change of changes.toSorted((a, b) => b.sign - a.sign)) {
    const came = months.get(monthKey(change))
    if (came) months.set(monthKey(change), { ...came, found: came.found + change.found })
    else months.set(monthKey(change), change.sign > 0 ? change : { ...change, ...nothing })
  }
  return [...months.values()]
}

/** One row for each month that items left, with their extent; without one if they left by several statements. */
function mergeMonthsLeft(changes: readonly MonthlyItemCountChange[]): MonthlyItemCountChange[] {
  const months = new Map<string, MonthlyItemCountChange>()
  for (const change of changes.filter(({ sign }) => sign < 0))
    months.set(monthKey(change), months.has(monthKey(change)) ? { ...change, ...nothing } : change)
  return [...months.values()]
}

const toBatches = <Row>(rows: readonly Row[] | null): readonly (readonly Row[])[] => [...splitIntoBatches(rows ?? [])]

type CountBatch = { readonly [name in keyof ItemCountChanges]: NonNullable<ItemCountChanges[name]> }

/** Adds the changes, and widens each month by the items that came to it. */
async function addCounts(
  tx: Tx,
  organization: string,
  { bytes, counts, months, properties }: CountBatch,
): Promise<void> {
  const parts = [
    ...(bytes === 0 ? [] : [addBytes(organization, bytes)]),
    ...(counts.length === 0 ? [] : [addItems(organization, counts)]),
    ...(months.length === 0 ? [] : [addMonths(organization, months)]),
    ...(properties.length === 0 ? [] : [addProperties(organization, properties)]),
  ]
  const longest = Math.max(counts.length, months.length, properties.length)
  await tx.query(
    prepareByListLength(
      sql`with ${sql.join(parts)} select 1 as counted from storage_totals where organization_id = ${organization}`,
      longest,
    ),
  )
}

const addBytes = (organization: string, bytes: number): Sql => sql`
  added_bytes as (
    insert into storage_totals as t (organization_id, file_bytes, metadata_bytes) values (${organization}, 0, ${bytes})
    on conflict (organization_id) do update set metadata_bytes = t.metadata_bytes + excluded.metadata_bytes)`

const addItems = (organization: string, counts: readonly CountChange[]): Sql => sql`
  added_items as (
    insert into item_counts as t (organization_id, project_id, collection_id, cloud, items, found)
    values ${buildValuesList(counts, (c) => sql`(${organization}, ${c.project_id}, ${c.collection_id}, ${c.cloud}, ${c.items}, ${c.found})`)}
    on conflict (organization_id, project_id, collection_id, cloud) do update
    set items = t.items + excluded.items, found = t.found + excluded.found)`

const addMonths = (organization: string, months: readonly MonthlyItemCountChange[]): Sql => sql`
  added_months as (
    insert into item_months as t
      (organization_id, project_id, collection_id, month, found, west, south, east, north, earliest, latest, ends,
       least_clouds, most_clouds, finest, coarsest)
    values ${buildValuesList(
      months,
      (m) => sql`
      (${organization}, ${m.project_id}, ${m.collection_id}, ${m.month}, ${m.found}, ${m.west}, ${m.south}, ${m.east}, ${m.north},
       ${m.earliest}, ${m.latest}, ${m.ends}, ${m.least_clouds}, ${m.most_clouds}, ${m.finest}, ${m.coarsest})`,
    )}
    on conflict (organization_id, project_id, collection_id, month) do update
    set found = t.found + excluded.found,
      west = least(t.west, excluded.west), south = least(t.south, excluded.south),
      east = greatest(t.east, excluded.east), north = greatest(t.north, excluded.north),
      earliest = least(t.earliest, excluded.earliest), latest = greatest(t.latest, excluded.latest),
      ends = greatest(t.ends, excluded.ends),
      least_clouds = least(t.least_clouds, excluded.least_clouds),
      most_clouds = greatest(t.most_clouds, excluded.most_clouds),
      finest = least(t.finest, excluded.finest), coarsest = greatest(t.coarsest, excluded.coarsest))`

const addProperties = (organization: string, properties: readonly PropertyChange[]): Sql => sql`
  added_properties as (
    insert into item_properties as t (organization_id, project_id, collection_id, name, type, found)
    values ${buildValuesList(properties, (p) => sql`(${organization}, ${p.project_id}, ${p.collection_id}, ${p.name}, ${p.type}, ${p.found})`)}
    on conflict (organization_id, project_id, collection_id, name, type) do update set found = t.found + excluded.found)`

/**
 * Measures those of the months again in which an item that left lay at an edge of what the month covers, or for which nothing says
 * what the items covered.
 */
async function narrowMonths(tx: Tx, organization: string, left: readonly MonthlyItemCountChange[]): Promise<void> {
  await tx.query(
    prepareByListLength(
      sql`
    update item_months t
    set west = m.west, south = m.south, east = m.east, north = m.north, earliest = m.earliest, latest = m.latest, ends = m.ends,
      least_clouds = m.least_clouds, most_clouds = m.most_clouds, finest = m.finest, coarsest = m.coarsest
    from (values ${buildValuesList(
      left,
      (m) => sql`
      (${m.project_id}::uuid, ${m.collection_id}::uuid, ${m.month}::date, ${m.west}::float8, ${m.south}::float8,
       ${m.east}::float8, ${m.north}::float8, ${m.earliest}::timestamptz, ${m.latest}::timestamptz, ${m.ends}::timestamptz,
       ${m.least_clouds}::float8, ${m.most_clouds}::float8, ${m.finest}::float8, ${m.coarsest}::float8)`,
    )}) as gone (project_id, collection_id, month, west, south, east, north, earliest, latest, ends, least_clouds, most_clouds,
                 finest, coarsest)
    cross join lateral (
      select min(ST_XMin(i.geometry)) as west, min(ST_YMin(i.geometry)) as south, max(ST_XMax(i.geometry)) as east,
        max(ST_YMax(i.geometry)) as north, min(i.covers_from) as earliest, max(i.covers_from) as latest,
        max(i.covers_to) as ends, min(i.cloud_cover) as least_clouds, max(i.cloud_cover) as most_clouds,
        min(nullif(i.gsd, 0)) as finest, max(nullif(i.gsd, 0)) as coarsest
      from items i
      where i.organization_id = ${organization} and i.project_id = gone.project_id
        and i.collection_id is not distinct from nullif(gone.collection_id, ${noCollectionId})
        and i.covers_from >= gone.month::timestamp at time zone 'UTC'
        and i.covers_from < (gone.month + interval '1 month') at time zone 'UTC'
        and i.deleted_at is null and i.lifecycle_state <> 'expired') m
    where t.organization_id = ${organization} and t.project_id = gone.project_id
      and t.collection_id = gone.collection_id and t.month = gone.month
      and (t.found <= 0 or gone.earliest is null or gone.west <= t.west or gone.south <= t.south or gone.east >= t.east or gone.north >= t.north
        or gone.earliest <= t.earliest or gone.latest >= t.latest or gone.ends >= t.ends
        or gone.least_clouds <= t.least_clouds or gone.most_clouds >= t.most_clouds
        or gone.finest <= t.finest or gone.coarsest >= t.coarsest)`,
      left.length,
    ),
  )
}

/** Names of properties are free, so rows without values are removed. */
async function removeEmptyProperties(tx: Tx, organization: string, lessened: readonly PropertyChange[]): Promise<void> {
  await tx.query(
    prepareByListLength(
      sql`
    delete from item_properties t
    where t.organization_id = ${organization} and t.found = 0 and (t.project_id, t.collection_id, t.name, t.type) in (
      values ${buildValuesList(lessened, (p) => sql`(${p.project_id}::uuid, ${p.collection_id}::uuid, ${p.name}::text, ${p.type}::text)`)})`,
      lessened.length,
    ),
  )
}
