import type { CollectedStatement } from './collect-statements.ts'

/** A statement as the product sent it before it ran on a cluster, word for word, with the sentence that refuses it. */
export interface FormerStatement extends CollectedStatement {
  readonly refusal: string
}

const emptySelectList =
  'selects no column (empty-select-list: a part of a statement that is planned by itself must have a column: select 1)'
const insertInWith =
  'combines the rows that event inserts with others (insert-in-with: an INSERT in a WITH clause runs by itself, in the order of the clause, and its rows are read by queries of nothing else)'
const ofAnyOrganization = (table: string): string =>
  `changes rows of ${table} of any organization (organization: rows that are changed or locked are those of one organization, which is named by a value, and stay there)`

/** Citus: "correlated subqueries are not supported when the FROM clause contains a set returning function". */
const eventWithMatches: FormerStatement = {
  file: 'domains/events/store.ts',
  line: 40,
  name: 'insertEvent',
  role: 'app',
  refusal: `${emptySelectList}, and ${insertInWith}`,
  text: String.raw`
    with event as (
      insert into events (
  organization_id, id, kind, entity_type, entity_id, project_id, data, actor_kind, actor_id, operation, request_id, created_at) values
  ($1, $2, $3, $4, $5, $6,
   $7, $8, $9, $10, $11,
   $12) returning organization_id, id, kind, entity_type, project_id, data, created_at
    )

  select event.id as event_id, subscription.id as subscription_id
  from event
  join event_subscriptions subscription
    on subscription.organization_id = event.organization_id
   and subscription.event_type = event.kind
   and subscription.active
  where subscription.organization_id = $13
    and (subscription.project_id is null or subscription.project_id = event.project_id)
    and not exists (
  select from jsonb_each(subscription.filter_config) as entry (path, expected)
  cross join lateral (
    select entry.path,
           case jsonb_typeof(entry.expected) when 'array' then entry.expected
             else jsonb_build_array(entry.expected) end as expected) as filter
  where not coalesce(
    case
      when filter.path = 'entity_type' then filter.expected @> to_jsonb(event.entity_type)
      when jsonb_typeof((event.data #> string_to_array(regexp_replace(filter.path, '^data\.', ''), '.'))) = 'array' then exists (
        select from jsonb_array_elements((event.data #> string_to_array(regexp_replace(filter.path, '^data\.', ''), '.'))) as element (value)
        where filter.expected @> jsonb_build_array(element.value))
      else filter.expected @> jsonb_build_array((event.data #> string_to_array(regexp_replace(filter.path, '^data\.', ''), '.')))
    end, false)) and (
  select case
      when creator_id.id is null then null
      when creator_key.revoked_at is not null then 'key_revoked'
      when creator_key.expires_at <= event.created_at::timestamptz then 'key_expired'
      when creator_member.user_id is null then 'user_left'
      when creator_member.disabled_at is not null then 'user_disabled'

    end
  from (select case when coalesce(subscription.created_by_key, subscription.created_by)::text ~ '^[0-9a-f]{8}-[0-9a-f-]{27}$' then (coalesce(subscription.created_by_key, subscription.created_by)::text)::uuid end as id) creator_id
  left join api_keys creator_key on creator_key.organization_id = event.organization_id and creator_key.id = creator_id.id
  left join memberships creator_member on creator_member.organization_id = event.organization_id and creator_member.user_id = coalesce(creator_key.created_by, creator_id.id)) is null and (
  subscription.created_by is null or exists (
    select from memberships m
    where m.organization_id = event.organization_id and m.user_id = subscription.created_by
      and (m.role in ('owner', 'admin')
        or (m.role = 'billing' and event.entity_type = any($14::text[]))
        or exists (
          select from project_members pm
          join projects p on p.organization_id = pm.organization_id and p.id = pm.project_id
          where pm.organization_id = event.organization_id and pm.project_id = event.project_id
            and pm.user_id = subscription.created_by and p.deleted_at is null)))) and $15::boolean`,
}

/** Citus: "a column definition list is required for functions returning record". */
const dueRows: FormerStatement = {
  file: 'platform/sandbox/due-rows.ts',
  line: 44,
  name: 'findDueTimes',
  role: 'across',
  refusal: emptySelectList,
  text: `select kind, is_due, next_at from (values
    (0, exists (select from orders where organization_id = $1 and ask_at <= $2::timestamptz), (select min(ask_at) from orders where organization_id = $3 and ask_at > $2::timestamptz))) as due (kind, is_due, next_at)`,
}

/** Changes on all shards, whose rows stay locked until each node has committed. */
const changesOfAllOrganizations: readonly FormerStatement[] = [
  {
    file: 'engine/store.idempotency.ts',
    line: 148,
    name: 'unlockAbandonedClaims',
    role: 'across',
    refusal: ofAnyOrganization('idempotency_claims'),
    text: 'update idempotency_claims set locked_at = null where response is null and locked_at is not null',
  },
  {
    file: 'engine/store.idempotency.ts',
    line: 155,
    name: 'deleteExpiredClaims',
    role: 'across',
    refusal: ofAnyOrganization('idempotency_claims'),
    text: `
    delete from idempotency_claims where created_at < statement_timestamp() - interval '24 hours' returning key`,
  },
  {
    file: 'domains/identity/tile-tokens/store.tile-tokens.ts',
    line: 108,
    name: 'deleteTileTokensBefore',
    role: 'across',
    refusal: ofAnyOrganization('tile_tokens'),
    text: `
    with gone as (delete from tile_tokens t
      where (not swath_is_sandbox(t.organization_id) and t.expires_at <= $1::timestamptz) returning organization_id, id)
    delete from tile_token_directory d using gone
    where d.organization_id = gone.organization_id and d.token_id = gone.id`,
  },
  {
    file: 'domains/identity/store.ts',
    line: 134,
    name: 'updateApiKeyLastUsed',
    role: 'across',
    refusal: ofAnyOrganization('api_keys'),
    text: `
    update api_keys k
    set last_used_at = greatest(k.last_used_at, used.at)
    from unnest($1::uuid[], $2::uuid[],
                $3::timestamptz[]) as used (organization_id, id, at)
    where k.organization_id = used.organization_id and k.id = used.id`,
  },
]

/** Each is one that a cluster refused or ran on all shards. */
export const formerStatements: readonly FormerStatement[] = [eventWithMatches, dueRows, ...changesOfAllOrganizations]
