import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minute_ms } from '@swath/geo/time-units.ts'
import type { AlertRule, BacktestResult } from '@swath/contract/schemas/alert-rule.ts'
import { limits } from '@swath/contract/limits.ts'
import { runForEach } from '../../../test/citus/statements.ts'
import { createAlertFixture, place } from '../../../test/alerts/alert-fixture.ts'
import { assertRejected, rejectedWith } from '../../../test/call-operation.ts'
import { square } from '../../../test/geometries.ts'
import { deliverItem, openTestServices, type TestServices } from '../../../test/test-services.ts'
import { backgroundTaskTypes } from '../../engine/task-types.ts'
import { sql } from '../../platform/database/sql.ts'
import { newId } from '../../platform/ids.ts'
import { storedDeliveries } from '../../../test/webhooks/stored-deliveries.ts'

let services: TestServices
before(async () => {
  services = await openTestServices()
})
after(() => services?.close())

const createFixture = () => createAlertFixture(services)

test('a new item above the threshold triggers the rule once, with its value and images before and after', async () => {
  const fixture = await createFixture()
  const before = await fixture.observe(50, { datetime: new Date('2024-06-01T00:00:00Z') })
  const rule = await fixture.createRule({ notification_channels: ['in_app', 'webhook'] })
  assert.equal(rule.comparison, 'gt')
  const item_id = await fixture.observe(150, { datetime: new Date('2024-06-05T00:00:00Z') })
  const [event, ...others] = await fixture.listEvents()
  assert.deepEqual(others, [])
  assert.equal(event?.computed_value, 150)
  assert.equal(event?.item_id, item_id)
  assert.equal(event?.previous_item_id, before)
  assert.match(event?.picture_url ?? '', new RegExp(`/v1/op/items.tile.preview\\?item_id=${item_id}&asset_key=data$`))
  const [emitted] = await fixture.events('alert.triggered')
  assert.equal(emitted?.entity_id, event?.id)
  assert.equal(emitted?.project_id, fixture.project)
  const { picture_url, previous_picture_url, collection_id, ...data } = emitted!.data
  assert.equal(typeof collection_id, 'string')
  assert.deepEqual(data, {
    rule_id: rule.id,
    rule_name: 'Bright',
    item_id,
    project_id: fixture.project,
    expression: 'b1',
    statistic: 'mean',
    comparison: 'gt',
    threshold: 100,
    threshold_upper: null,
    value: 150,
    channels: ['in_app', 'webhook'],
    previous_item_id: before,
  })
  assert.ok(String(picture_url).includes(item_id) && String(previous_picture_url).includes(before))
})

test('an item below the threshold, and one from before the rule, trigger nothing', async () => {
  const fixture = await createFixture()
  await fixture.observe(150)
  await fixture.createRule()
  await fixture.observe(100)
  assert.deepEqual(await fixture.listEvents(), [])
  assert.deepEqual(
    (await fixture.evaluations()).map(({ outcome }) => outcome),
    ['not_satisfied'],
  )
})

test('expressions may name bands, numbers and indices, and the mapping decides what a name means', async () => {
  const fixture = await createFixture()
  const scene = { bands: [100, 300], names: ['red', 'nir'] }
  const rows: readonly [Record<string, unknown>, number][] = [
    [{ expression: '(nir - red) / (nir + red)' }, 0.5],
    [{ expression: 'ndvi' }, 0.5],
    [{ expression: 'ndvi', band_mapping: { nir: 1, red: 2 } }, -0.5],
    [{ expression: 'b2 / b1' }, 3],
    [{ expression: 'x', band_mapping: { x: 2 } }, 300],
    [{ expression: 'b1 > 50', statistic: 'valid_percent' }, 100],
  ]
  for (const [input] of rows) await fixture.createRule({ ...input, comparison: 'neq', threshold: -99 })
  await fixture.deliver(scene)
  await fixture.runner.runPending()
  const values = (await fixture.listEvents()).map(({ computed_value }) => computed_value)
  assert.deepEqual(values.toSorted(), rows.map(([, value]) => value).toSorted())
})

test('an index is one of reflectances: scale and offset of the bands apply to it, and not to other expressions', async () => {
  const fixture = await createFixture()
  const rows: readonly [string, number][] = [
    ['ndvi', (0.5 - 0.1) / (0.5 + 0.1)],
    ['(nir - red) / (nir + red)', 0.5],
  ]
  for (const [expression] of rows) await fixture.createRule({ expression, comparison: 'neq', threshold: -99 })
  await fixture.deliver({ bands: [2000, 6000], names: ['red', 'nir'], scale: 0.0001, offset: -0.1 })
  await fixture.runner.runPending()
  const events = await fixture.listEvents()
  for (const [expression, value] of rows) {
    const found = events.find((event) => event.expression === expression)?.computed_value
    assert.ok(Math.abs(Number(found) - value) < 1e-6, `${expression}: ${found}`)
  }
})

test('a rule with an area measures the pixels in it, and ignores items that do not intersect it', async () => {
  const fixture = await createFixture()
  const aoi = square(place.west, place.south, place.side / 2)
  await fixture.createRule({ aoi, statistic: 'max', comparison: 'lt', threshold: 60 })
  await fixture.deliver({ bands: [[50, 900]] })
  await fixture.deliver({ bands: [50], west: place.west + 20 })
  await fixture.runner.runPending()
  assert.deepEqual(
    (await fixture.listEvents()).map(({ computed_value }) => computed_value),
    [50],
  )
  assert.equal((await fixture.evaluations()).length, 1)
})

test('hysteresis and cooldown hold a rule back, by the clock of the organization', async () => {
  const fixture = await createFixture()
  await fixture.createRule({ hysteresis: 20, cooldown_minutes: 60 })
  const outcomes: (string | null)[] = []
  for (const value of [150, 150, 90, 150, 70, 150]) {
    services.clock.advance(minute_ms)
    const item_id = await fixture.observe(value)
    outcomes.push((await fixture.evaluations()).find((row) => row.item_id === item_id)!.outcome)
  }
  assert.deepEqual(outcomes, ['triggered', 'not_rearmed', 'not_satisfied', 'not_rearmed', 'not_satisfied', 'cooldown'])
  services.clock.advance(60 * minute_ms)
  await fixture.observe(150)
  assert.equal((await fixture.listEvents()).length, 2)
})

test('an item without the asset, the band or a valid value is skipped with the reason, and others are evaluated', async () => {
  const fixture = await createFixture()
  const names = ['nir / b1', 'b1 / (b1 - b1)', 'b1'] as const
  for (const expression of names) await fixture.createRule({ expression, name: expression })
  await fixture.createRule({ asset_key: 'visual', name: 'visual' })
  await fixture.observe(150)
  const rows = await fixture.owner.db.query<{ name: string; state: string; reason: string | null }>(sql`
    select r.name, e.state, e.reason from alert_evaluations e
    join alert_rules r on r.organization_id = e.organization_id and r.id = e.rule_id
    where e.organization_id = ${fixture.organization} order by r.name`)
  const reasons = new Map(rows.map(({ name, state, reason }) => [name, `${state}: ${reason}`]))
  assert.match(reasons.get('nir / b1')!, /^skipped: .*"nir" is not a band/)
  assert.match(reasons.get('b1 / (b1 - b1)')!, /^skipped: .*no pixel for which the expression has a value/)
  assert.match(reasons.get('visual')!, /^skipped: The item has no asset with the key "visual"/)
  assert.equal(reasons.get('b1'), 'measured: null')
})

test('an item whose pixels are all nodata is skipped, but has a share of valid pixels of zero', async () => {
  const fixture = await createFixture()
  await fixture.createRule({ comparison: 'neq' })
  await fixture.createRule({ statistic: 'valid_percent', comparison: '<', threshold: 50 })
  await fixture.observe(0)
  assert.deepEqual(
    (await fixture.listEvents()).map(({ computed_value }) => computed_value),
    [0],
  )
  assert.deepEqual((await fixture.evaluations()).map(({ state }) => state).sort(), ['measured', 'skipped'])
})

test('an item that was skipped is evaluated when it is updated, a measured one is not evaluated again', async () => {
  const fixture = await createFixture()
  const rule = await fixture.createRule({ event_types: ['item.created', 'item.updated'], expression: 'nir' })
  const item_id = await fixture.observe(150)
  assert.deepEqual(
    (await fixture.evaluations()).map(({ state }) => state),
    ['skipped'],
  )
  await fixture.invoke('alerts.update_rule', { rule_id: rule.id, expression: 'b1' })
  for (const name of ['one', 'two']) {
    await fixture.invoke('items.update', { item_id, name })
    await fixture.runner.runPending()
  }
  assert.equal((await fixture.listEvents()).length, 1)
})

test('a task that runs again, or twice at once, has one effect', async () => {
  const fixture = await createFixture()
  await fixture.createRule()
  const item_id = await fixture.deliver({ bands: [150] })
  const data = { organization_id: fixture.organization, item_id }
  await Promise.all([1, 2].map(() => fixture.runner.runTask(backgroundTaskTypes.evaluateAlerts, data)))
  await fixture.runner.runPending()
  assert.equal((await fixture.listEvents()).length, 1)
  assert.equal((await fixture.events('alert.triggered')).length, 1)
})

test('a rolled-back item leaves no evaluation', async () => {
  const fixture = await createFixture()
  await fixture.createRule()
  const failing = fixture.owner.transaction(async (tx) => {
    await deliverItem({ ...fixture.owner, transaction: async (work) => work(tx) }, fixture.project)
    throw new Error('rolled back')
  })
  await assert.rejects(failing, /rolled back/)
  assert.deepEqual(await fixture.evaluations(), [])
  assert.deepEqual(fixture.runner.pendingTasks(fixture.organization), [])
})

test('a deactivated rule, and the item of a deleted one, trigger nothing; alert events outlive the rule', async () => {
  const fixture = await createFixture()
  const rule = await fixture.createRule()
  await fixture.observe(150)
  await fixture.invoke('alerts.update_rule', { rule_id: rule.id, active: false })
  await fixture.observe(150)
  await fixture.invoke('alerts.update_rule', { rule_id: rule.id, active: true })
  await fixture.deliver({ bands: [150] })
  assert.deepEqual(await fixture.invoke('alerts.delete_rule', { rule_id: rule.id }), { deleted: true })
  await fixture.runner.runPending()
  assert.equal((await fixture.listEvents({ rule_id: rule.id })).length, 1)
  await assertRejected(fixture.invoke('alerts.rule.get', { rule_id: rule.id }), 'not-found')
})

test('a rule without the channel webhook is not delivered to subscriptions, one with it is', async () => {
  const fixture = await createFixture()
  await services.database.unscoped.query(sql`
    insert into event_subscriptions (organization_id, id, event_type, endpoint_url, created_at, updated_at)
    values (${fixture.organization}, ${newId()}, 'alert.triggered', 'https://hooks.example.com', now(), now())`)
  await fixture.createRule({ notification_channels: ['in_app'] })
  await fixture.createRule({ notification_channels: ['webhook'] })
  await fixture.observe(150)
  const deliveries = await fixture.owner.db.query<{ channels: string[] }>(sql`
    select e.data -> 'channels' as channels from ${storedDeliveries} d
    join events e on e.organization_id = d.organization_id and e.id = d.event_id
    where d.organization_id = ${fixture.organization}`)
  assert.deepEqual(deliveries, [{ channels: ['webhook'] }])
  assert.equal((await fixture.events('alert.triggered')).length, 2)
})

test('test_rule returns the value and stores nothing', async () => {
  const fixture = await createFixture()
  const { id: rule_id } = await fixture.createRule({ comparison: 'between', threshold: 100, threshold_upper: 200 })
  const item_id = await fixture.deliver({ bands: [150] })
  await fixture.owner.db.query(sql`delete from alert_evaluations where organization_id = ${fixture.organization}`)
  assert.deepEqual(await fixture.invoke('alerts.test_rule', { rule_id, item_id }), {
    computed_value: 150,
    threshold: 100,
    comparison: 'between',
    would_trigger: true,
    expression: 'b1',
    item_id,
  })
  assert.deepEqual(await fixture.evaluations(), [])
  assert.deepEqual(await fixture.listEvents(), [])
})

test('test_rule names the item if it has not the band, a value, or the area', async () => {
  const fixture = await createFixture()
  const item_id = await fixture.deliver({ bands: [150] })
  const rows: readonly [Record<string, unknown>, RegExp][] = [
    [{ expression: 'b7' }, /item_id: .*"b7" is not a band/],
    [{ expression: 'b1 / 0' }, /item_id: has no pixel/],
    [{ aoi: square(-100, 20, 1) }, /item_id: /],
  ]
  for (const [input, message] of rows) {
    const { id: rule_id } = await fixture.createRule(input)
    await assert.rejects(fixture.invoke('alerts.test_rule', { rule_id, item_id }), rejectedWith('validation', message))
  }
})

test('a back-test evaluates past items in the order of acquisition and reports if there are older ones', async () => {
  const fixture = await createFixture()
  const days = [150, 160, 0, 90, 200]
  for (const [day, value] of days.entries())
    await fixture.deliver({ bands: [value], datetime: new Date(Date.UTC(2024, 5, day + 1)) })
  const { id: rule_id } = await fixture.createRule({ hysteresis: 5, cooldown_minutes: 60 })
  const run = (input: object = {}) =>
    fixture.invoke<{ results: BacktestResult[]; triggered_count: number; truncated: boolean }>('alerts.backtest_rule', {
      rule_id,
      ...input,
    })
  const all = await run()
  assert.deepEqual(
    all.results.map(({ computed_value, outcome }) => [computed_value, outcome]),
    [
      [150, 'triggered'],
      [160, 'not_rearmed'],
      [null, 'not_measured'],
      [90, 'not_satisfied'],
      [200, 'triggered'],
    ],
  )
  assert.equal(all.triggered_count, 2)
  assert.equal(all.truncated, false)
  const newest = await run({ limit: 2 })
  assert.deepEqual([newest.results.map((row) => row.computed_value), newest.truncated], [[90, 200], true])
  const older = await run({ datetime: '../2024-06-02T00:00:00Z' })
  assert.deepEqual(
    older.results.map(({ computed_value }) => computed_value),
    [150, 160],
  )
  assert.deepEqual(await fixture.listEvents(), [])
  await assertRejected(run({ datetime: 'yesterday' }), 'validation')
})

test('fields that do not fit are refused by name', async () => {
  const fixture = await createFixture()
  const rows: readonly [Record<string, unknown>, RegExp][] = [
    [{ expression: 'b1 +' }, /^expression: /],
    [{ expression: '1 + 1' }, /^expression: must name at least one band/],
    [{ expression: 'exec(b1)' }, /^expression: /],
    [{ comparison: 'between' }, /^threshold_upper: is required/],
    [{ threshold_upper: 200 }, /^threshold_upper: is not used/],
    [{ comparison: 'outside', threshold: 100, threshold_upper: 50 }, /^threshold_upper: must not be less/],
    [{ comparison: '==', hysteresis: 1 }, /^hysteresis: is not used/],
    [{ comparison: 'outside', threshold: 0, threshold_upper: 10, hysteresis: 6 }, /^hysteresis: must be at most half/],
    [
      {
        aoi: {
          type: 'Polygon',
          coordinates: [
            [
              [0, 0],
              [1, 1],
            ],
          ],
        },
      },
      /^aoi/,
    ],
    [{ comparison: '=>' }, /comparison/],
    [{ event_types: ['order.created'] }, /event_types/],
    [{ hysteresis: -1 }, /hysteresis/],
  ]
  for (const [input, message] of rows)
    await assert.rejects(fixture.createRule(input), rejectedWith('validation', message), JSON.stringify(input))
})

test('symbols and words are the same comparison', async () => {
  const fixture = await createFixture()
  const rows = { '>': 'gt', '>=': 'gte', '<': 'lt', '<=': 'lte', '=': 'eq', '==': 'eq', '!=': 'neq', lte: 'lte' }
  for (const [given, stored] of Object.entries(rows))
    assert.equal((await fixture.createRule({ comparison: given })).comparison, stored)
})

test('an update keeps absent fields, clears nullable ones that are null, and validates the whole rule', async () => {
  const fixture = await createFixture()
  const { id: rule_id, ...created } = await fixture.createRule({ hysteresis: 5, description: 'text' })
  const update = async (input: object) =>
    (await fixture.invoke<{ alert_rule: AlertRule }>('alerts.update_rule', { rule_id, ...input })).alert_rule
  const changed = await update({ description: null, name: null, threshold: 7 })
  assert.deepEqual(changed, { ...created, id: rule_id, description: null, threshold: 7 })
  await assertRejected(update({ comparison: 'eq' }), 'validation')
  assert.equal((await update({ comparison: '=', hysteresis: null })).comparison, 'eq')
})

test('the number of rules is bounded', async () => {
  const fixture = await createFixture()
  const { id } = await fixture.createRule()
  await runForEach(
    services.database.unscoped,
    [2, limits.max_alert_rules],
    () => sql`
      insert into alert_rules (organization_id, id, name, event_types, expression, statistic, comparison, threshold, asset_key,
        band_mapping, notification_channels, active, cooldown_minutes, is_armed, created_by, created_at, updated_at)
      select organization_id, ${newId()}::uuid, name, event_types, expression, statistic, comparison, threshold, asset_key,
        band_mapping, notification_channels, false, cooldown_minutes, is_armed, created_by, created_at, updated_at
      from alert_rules where id = ${id}`,
  )
  await assertRejected(fixture.createRule(), 'quota-exceeded')
})

test('an acknowledged event keeps who acknowledged it first', async () => {
  const fixture = await createFixture()
  await fixture.createRule()
  await fixture.observe(150)
  const event_id = (await fixture.listEvents())[0]!.id
  const admin = await fixture.createMember('admin')
  await fixture.invoke('alerts.acknowledge_event', { event_id })
  await fixture.invoke('alerts.acknowledge_event', { event_id }, admin)
  const [event] = await fixture.listEvents({ acknowledged: true })
  assert.equal(event?.acknowledged_by, fixture.owner.principal.id)
  assert.deepEqual(await fixture.listEvents({ acknowledged: false }), [])
  assert.equal((await fixture.events('alert.acknowledged')).length, 1)
})

test("another organization's rules, items and events do not exist", async () => {
  const [ours, theirs] = [await createFixture(), await createFixture()]
  const { id: rule_id } = await ours.createRule()
  const item_id = await ours.observe(150)
  const [event] = await ours.listEvents()
  for (const [operation, input] of [
    ['alerts.rule.get', { rule_id }],
    ['alerts.update_rule', { rule_id, name: 'x' }],
    ['alerts.delete_rule', { rule_id }],
    ['alerts.test_rule', { rule_id, item_id }],
    ['alerts.backtest_rule', { rule_id }],
    ['alerts.acknowledge_event', { event_id: event!.id }],
  ] as const)
    await assertRejected(theirs.invoke(operation, input), 'not-found')
  const { id: own } = await theirs.createRule({})
  await assertRejected(theirs.invoke('alerts.test_rule', { rule_id: own, item_id }), 'not-found')
  assert.deepEqual(await theirs.listEvents(), [])
  assert.equal((await theirs.invoke<{ total: number }>('alerts.rules.list', {})).total, 1)
})

test('a member evaluates and sees only items of projects that the member may read', async () => {
  const fixture = await createFixture()
  const member = await fixture.createMember('member')
  const mine = await fixture.createRule({}, member)
  await assertRejected(fixture.createRule({ project_id: fixture.project }, member), 'not-a-member')
  const ofProject = await fixture.createRule({ project_id: fixture.project })
  const item_id = await fixture.observe(150)
  assert.deepEqual(
    (await fixture.listEvents()).map(({ rule_id }) => rule_id),
    [ofProject.id],
  )
  assert.deepEqual(await fixture.listEvents({}, member), [])
  const { alert_rules } = await fixture.invoke<{ alert_rules: AlertRule[] }>('alerts.rules.list', {}, member)
  assert.deepEqual(
    alert_rules.map(({ id }) => id),
    [mine.id],
  )
  await assertRejected(fixture.invoke('alerts.rule.get', { rule_id: ofProject.id }, member), 'not-a-member')
  await assertRejected(fixture.invoke('alerts.test_rule', { rule_id: mine.id, item_id }, member), 'not-a-member')
  const other = await fixture.createMember('member')
  await assertRejected(fixture.invoke('alerts.update_rule', { rule_id: mine.id, name: 'x' }, other), 'forbidden')
  const { results } = await fixture.invoke<{ results: object[] }>('alerts.backtest_rule', { rule_id: mine.id }, member)
  assert.deepEqual(results, [])
})
