import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Compile } from 'typebox/compile'
import type { TSchema } from 'typebox'
import type { Operation } from '../src/operation.ts'
import { findOperation, operationRegistry } from '../src/registry.ts'
import { specifiedOperations, fieldsOf, type SpecifiedField } from './specification.ts'

interface JsonSchema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly default?: unknown
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** Defaults that the specification (`docs/platform/`, `operations.facts.json`) does not state: archiving is the purpose of `archive`; no areas are an empty collection. */
const additionalDefaults: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'projects.archive': { is_archived: true },
  'orders.tasking.feasibility_check': { featureCollection: { type: 'FeatureCollection', features: [] } },
  'orders.tasking.opportunities_list': { featureCollection: { type: 'FeatureCollection', features: [] } },
}

/** Optional fields in addition to those of the specification. */
const additionalFields: Readonly<Record<string, readonly string[]>> = {
  'alerts.create_rule': ['project_id', 'statistic', 'aoi', 'hysteresis'],
  'alerts.update_rule': ['statistic', 'aoi', 'hysteresis'],
  'api_keys.create': ['spend_cap_credits'],
  'billing.cleanup_deleted_orgs': ['reason'],
  'billing.dlq.replay': ['reason'],
  'billing.enterprise.mark_invoiced': ['reason'],
  'billing.free_tier.approve': ['reason'],
  'billing.free_tier.grant_all': ['reason'],
  'billing.free_tier.revoke': ['reason'],
  'billing.reconciliation.backfill_missing': ['reason'],
  'billing.reconciliation.remove_stale': ['reason'],
  'billing.reconciliation.run': ['reason'],
  'billing.reconciliation.run_all': ['reason'],
  'billing.reconciliation.zero_negative_nets': ['reason'],
  'items.expire_batch': ['reason'],
  'webhooks.drain': ['reason'],
  'catalog.federated_search': ['next'],
  'cog.colormaps': ['format', 'name', 'width', 'height'],
  'catalog.image.quicklook': ['format'],
  'catalog.image.thumbnail': ['format'],
  'catalog.tile.render': ['gamma', 'stretch', 'color_formula'],
  'cog.tile.render': ['scale', 'gamma', 'stretch', 'color_formula'],
  'stac.collections.list': ['bbox', 'datetime', 'q', 'limit', 'page'],
  'cog.tile.terrain': ['encoding', 'missing', 'scale'],
  'items.asset.download': ['again'],
  'items.tile.preview': ['gamma', 'stretch', 'color_formula'],
  'items.tile.render': ['scale', 'gamma', 'stretch', 'color_formula'],
  'items.tile.tilejson': ['format', 'key'],
  'items.tile.wmts_capabilities': ['asset_key'],
  'items.tile.wmts_get_tile': ['asset_key', 'format'],
  'billing.approvals.approve': ['max_credits', 'dry_run'],
  'billing.jobs.settle_unsettled': ['reason', 'max_credits', 'dry_run'],
  'billing.reconciliation.correct_drift': ['max_credits', 'dry_run'],
  'billing.run_monthly_cron': ['reason', 'max_credits', 'dry_run'],
  'billing.run_monthly_for_org': ['max_credits', 'dry_run'],
  'billing.topup': ['max_credits', 'dry_run'],
  'clip.create_from_area': ['reuse', 'max_credits', 'dry_run'],
  'processing.execute': ['reuse', 'max_credits', 'dry_run', 'collect_results', 'result_form', 'budgetId'],
  'processing.jobs.list': ['min_duration_seconds', 'max_duration_seconds', 'created', 'exclude_dismissed'],
  'orders.archive.estimate': ['exclude_owned', 'licenseType'],
  'orders.cancel': ['max_credits', 'dry_run'],
  'orders.estimate': ['exclude_owned', 'budgetId'],
  'orders.list': ['include_areas', 'budgetIds'],
  'orders.place': ['exclude_owned', 'quote_id', 'max_credits', 'dry_run', 'budgetId', 'partial'],
  'orders.tasking.feasibility_decide': ['max_credits', 'dry_run'],
  'orders.tasking.feasibility_studies.list': ['sort'],
  'orders.tasking.groups.list': ['organization_id'],
  'orders.tasking.quotation_decide': ['max_credits', 'dry_run'],
  'orders.tasking.quotations.list': ['sort'],
  'orders.update': ['displayName', 'budgetId'],
  'organizations.create': ['sandbox', 'sandbox_seed', 'sandbox_time'],
  'share.tile.render': ['item_id'],
  'stac.search': ['link_method', 'token'],
  'uploads.signed_url': ['size_bytes'],
}

/** Types that a field accepts in addition, in order to refuse them by a status of their own: a filter as text is in another language. */
const additionalTypes: Readonly<Record<string, string>> = { 'stac.search filter': 'string' }

const pairs = Object.entries(specifiedOperations).map(([id, specified]) => ({
  id,
  specified,
  operation: findOperation(id) as Operation,
}))
const propertiesOf = (schema: TSchema): Readonly<Record<string, JsonSchema>> => (schema as JsonSchema).properties ?? {}
const requiredOf = (schema: TSchema): string[] => [...((schema as JsonSchema).required ?? [])].sort()
const namesOf = (fields: readonly SpecifiedField[]): string[] => fields.map((field) => field.name).sort()
const requiredNames = (fields: readonly SpecifiedField[]): string[] => namesOf(fields.filter((field) => field.required))

/** The alternative of a nullable schema that is not null. */
function nonNullAlternative(schema: JsonSchema): JsonSchema {
  const rest = schema.anyOf?.filter((inner) => inner.type !== 'null')
  return rest?.length === 1 ? nonNullAlternative(rest[0] as JsonSchema) : schema
}

function typesOf(schema: JsonSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typesOf)
  if (schema.type) return [schema.type]
  return [...(schema.enum ?? [schema.const])].map((value) => typeof value)
}

const jsonType = (type: string): string => {
  if (type.startsWith('[')) return 'array'
  return type.startsWith('enum') ? 'string' : type
}

test('the registry has every operation of the specification, and otherwise only extensions', () => {
  assert.deepEqual(
    operationRegistry.filter((operation) => !operation.extension).map((operation) => operation.id),
    Object.keys(specifiedOperations),
  )
})

test('scope, effect, status and idempotency equal those of the specification', () => {
  for (const { id, specified, operation } of pairs) {
    const { scope, effect, status, idempotent } = operation
    const { input: _input, output: _output, ...rest } = specified
    assert.deepEqual({ scope, effect, status, idempotent }, rest, id)
  }
})

test('inputs have the fields and the required fields of the specification', () => {
  for (const { id, specified, operation } of pairs) {
    if (specified.input === null) continue
    const fields = fieldsOf(specified.input)
    const additional = additionalFields[id] ?? []
    const listed = Object.keys(propertiesOf(operation.input)).filter((name) => !additional.includes(name))
    assert.deepEqual(listed.sort(), namesOf(fields), id)
    assert.ok(additional.every((name) => !requiredOf(operation.input).includes(name)))
    assert.deepEqual(requiredOf(operation.input), requiredNames(fields), id)
  }
})

test('inputs have the defaults, types and constraints of the specification', () => {
  for (const { id, specified, operation } of pairs) {
    const properties = propertiesOf(operation.input)
    for (const field of fieldsOf(specified.input ?? {})) {
      const where = `${id} ${field.name}`
      const schema = properties[field.name] as JsonSchema
      const expectedDefault = additionalDefaults[id]?.[field.name] ?? field.default
      if (field.default !== undefined || expectedDefault !== undefined)
        assert.deepEqual(schema.default, expectedDefault, where)
      if (field.type !== 'any')
        assert.ok(
          typesOf(nonNullAlternative(schema)).every(
            (type) => type === jsonType(field.type) || additionalTypes[`${id} ${field.name}`] === type,
          ),
          where,
        )
      checkConstraints(where, nonNullAlternative(schema), field)
    }
  }
})

function checkConstraints(where: string, schema: JsonSchema, field: SpecifiedField): void {
  if (field.type.startsWith('enum')) {
    assert.deepEqual(schema.enum, field.type.slice('enum('.length, -1).split('|'), where)
  }
  for (const [keyword, value] of Object.entries(field.constraints)) {
    // An enumeration is equivalent to a pattern of alternatives, and is easier to read.
    const additional = keyword === 'pattern' && schema.enum ? `^(${schema.enum.join('|')})$` : schema[keyword]
    assert.deepEqual(additional, Number.isNaN(Number(value)) ? value : Number(value), `${where} ${keyword}`)
  }
}

test('exactly the nullable fields of the specification accept null', () => {
  for (const { id, specified, operation } of pairs) {
    const properties = propertiesOf(operation.input)
    for (const field of fieldsOf(specified.input ?? {})) {
      const takesNull = Compile(properties[field.name] as TSchema).Check(null)
      assert.equal(takesNull, field.nullable, `${id} ${field.name}`)
    }
  }
})

test('outputs have every field and every required field of the specification', () => {
  for (const { id, specified, operation } of pairs) {
    if (specified.output === null) continue
    const fields = fieldsOf(specified.output)
    const names = Object.keys(propertiesOf(operation.output))
    assert.deepEqual(
      namesOf(fields).filter((name) => !names.includes(name)),
      [],
      id,
    )
    const required = requiredOf(operation.output)
    assert.deepEqual(
      requiredNames(fields).filter((name) => !required.includes(name)),
      [],
      id,
    )
  }
})
