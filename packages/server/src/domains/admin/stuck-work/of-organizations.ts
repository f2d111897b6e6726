import type { Actor } from '../../../engine/actor.ts'
import type { Call } from '../../../engine/call.ts'
import type { StuckWorkFilter, StuckWorkRow } from '../../../engine/stuck-work.ts'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { shiftTime, type OrganizationClock } from '../../../platform/clock.ts'
import type { DbConnection, Queryable, Tx } from '../../../platform/database/database.ts'
import { actorFor, listEveryOrganizationId } from '../../organizations/all-organizations.ts'
import type { StuckWorkKindDefinition, StuckWorkQuery, StuckWorkTarget } from './stuck-work-kind.ts'

type List = StuckWorkKindDefinition['list']
type Action = (call: Call, target: StuckWorkTarget) => Promise<boolean>

/** Lists stuck work of the organizations one after the other, each with its clock; oldest first. */
export const listWithClock =
  (list: (db: Queryable, clock: OrganizationClock, query: StuckWorkQuery) => Promise<StuckWorkRow[]>): List =>
  async (call, query) => {
    const organizations =
      query.organization === null ? await listEveryOrganizationId(call.unscoped) : [query.organization]
    const rows: StuckWorkRow[] = []
    for (const organization of organizations) {
      call.signal.throwIfAborted()
      rows.push(...(await list(call.unscoped, call.clocks.forOrganization(organization), query)))
    }
    return rows.toSorted((left, right) => left.since.getTime() - right.since.getTime()).slice(0, query.limit)
  }

/** The same for a query by the time of the organization. */
export const listByTime = (
  list: (db: Queryable, organization: string, filter: StuckWorkFilter) => Promise<StuckWorkRow[]>,
): List =>
  listWithClock((db, clock, { min_age_ms, id, limit }) =>
    list(db, clock.organization, { before: shiftTime(clock.now(), -min_age_ms), id, limit }),
  )

/** An action in one transaction of the organization. */
export const inTransaction =
  (act: (tx: Tx, actor: Actor, id: string, reason: string) => Promise<boolean>): Action =>
  async (call, { organization, id, reason }) => {
    const actor = await actorFor(call, organization!)
    return call.unscoped.transaction((tx) => act(tx, actor, id, reason))
  }

/** An action on files, which no transaction may wait for. */
export const onFiles =
  (
    act: (
      actor: Actor,
      stores: { readonly db: DbConnection; readonly blobs: BlobStore },
      id: string,
    ) => Promise<boolean>,
  ): Action =>
  async (call, { organization, id }) =>
    act(await actorFor(call, organization!), { db: call.unscoped, blobs: call.blobs }, id)
