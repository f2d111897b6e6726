import type { Tx } from '../../platform/database/database.ts'
import { sql, type Sql } from '../../platform/database/sql.ts'
import { delegationStopReasonSql } from '../../platform/database/statements/creator-condition.ts'
import {
  splitIntoBatches,
  buildValuesList,
  prepareByListLength,
} from '../../platform/database/statements/values-list.ts'
import { newId } from '../../platform/ids.ts'

/** Entity types of billing events, which the billing role may see; events of an order belong to its project instead. */
export const billingEntityTypes = ['commitment', 'dispute', 'invoice', 'lot', 'organization', 'payment_method', 'topup']

/** The subscription acts for who created it, at the time of the event. */
const isActing = (organization: string): Sql =>
  sql`${delegationStopReasonSql(
    {
      organization: sql`${organization}::uuid`,
      creator: sql`coalesce(subscription.created_by_key, subscription.created_by)::text`,
    },
    sql`event.created_at`,
  )} is null`

/**
 * The creator of a subscription may see the event: owners and admins every event, others those of projects that they are a
 * member of, the billing role also billing events.
 */
const isVisibleToCreator = (organization: string): Sql => sql`(
  subscription.created_by is null or exists (
    select 1 from memberships m
    where m.organization_id = ${organization} and m.user_id = subscription.created_by
      and (m.role in ('owner', 'admin')
        or (m.role = 'billing' and event.entity_type = any(${billingEntityTypes}::text[]))
        or exists (
          select 1 from project_members pm
          join projects p on p.organization_id = pm.organization_id and p.id = pm.project_id
          where pm.organization_id = ${organization} and pm.project_id = event.project_id
            and pm.user_id = subscription.created_by and p.deleted_at is null))))`

/** The value that a filter compares; the path of the filter is dotted and may begin with `data.`. */
const filteredValue = sql`(event.data #> string_to_array(regexp_replace(filter.path, '^data\\.', ''), '.'))`

/**
 * Every member of the filter matches: `entity_type`, or the value at a path of the data, equals the expected value or one of
 * the expected values. A list in the data matches if one of its elements does; a missing value matches nothing.
 */
const matchesFilter = sql`not exists (
  select 1 from jsonb_each(subscription.filter_config) as entry (path, expected)
  cross join lateral (
    select entry.path,
           case jsonb_typeof(entry.expected) when 'array' then entry.expected
             else jsonb_build_array(entry.expected) end as expected) as filter
  where not coalesce(
    case
      when filter.path = 'entity_type' then filter.expected @> to_jsonb(event.entity_type)
      when jsonb_typeof(${filteredValue}) = 'array' then exists (
        select 1 from jsonb_array_elements(${filteredValue}) as element (value)
        where filter.expected @> jsonb_build_array(element.value))
      else filter.expected @> jsonb_build_array(${filteredValue})
    end, false))`

/** The fields of an event by which subscriptions are matched. */
export interface MatchedEvent {
  readonly id: string
  readonly kind: string
  readonly entity_type: string
  readonly project_id: string | null
  readonly data: Readonly<Record<string, unknown>>
  readonly created_at: Date
}

const matchedValues = ({ id, kind, entity_type, project_id, data, created_at }: MatchedEvent): Sql => sql`
  (${id}::uuid, ${kind}::text, ${entity_type}::text, ${project_id}::uuid, ${sql.json(data)}::jsonb, ${created_at}::timestamptz)`

/**
 * Selects the subscriptions that match events of an organization, as `EventSubscriptionMatch`. The organization is a value wherever a table is
 * limited to it, so that a distributed engine runs the statement where the organization is.
 */
export const subscriptionMatchesQuery = (organization: string, events: readonly MatchedEvent[]): Sql => sql`
  with event (id, kind, entity_type, project_id, data, created_at) as (values ${buildValuesList(events, matchedValues)})
  select event.id as event_id, subscription.id as subscription_id
  from event
  join event_subscriptions subscription on subscription.event_type = event.kind and subscription.active
  where subscription.organization_id = ${organization}
    and (subscription.project_id is null or subscription.project_id = event.project_id)
    and ${matchesFilter} and ${isActing(organization)} and ${isVisibleToCreator(organization)}`

/** A subscription that an event is delivered to. */
export interface EventSubscriptionMatch {
  readonly event_id: string
  readonly subscription_id: string
}

/** Inserts one delivery per match, due at the time of the event. */
export async function insertEventDeliveries(
  tx: Tx,
  organization: string,
  matches: readonly EventSubscriptionMatch[],
  created_at: Date,
): Promise<void> {
  for (const batch of splitIntoBatches(matches))
    await tx.query(
      prepareByListLength(
        sql`
      insert into event_deliveries (organization_id, id, event_id, subscription_id, next_at, scheduled_at, created_at)
      values ${buildValuesList(
        batch,
        ({ event_id, subscription_id }) =>
          sql`(${organization}, ${newId()}, ${event_id}, ${subscription_id}, ${created_at}, ${created_at}, ${created_at})`,
      )}`,
        batch.length,
      ),
    )
}
