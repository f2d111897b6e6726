import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '../../ids.ts'
import type { DatabaseSession } from '../driver.ts'
import {
  type SessionSettingsPolicy,
  buildBeginStatements,
  buildStatementFrame,
  toDatabaseSessionSettings,
} from './session-settings.ts'

const limits = { statement_ms: 1000, search_ms: 500, script_ms: 1000 }
const organization = newId()
const own: DatabaseSession = { role: 'app', organization }
const across: DatabaseSession = { role: 'across', organization: null }
const owner: DatabaseSession = { role: 'owner', organization: null }
const plain: SessionSettingsPolicy = { limits, sessionScope: 'connection', citus: null }
const pooled: SessionSettingsPolicy = { limits, sessionScope: 'transaction', citus: null }
const citus: SessionSettingsPolicy = { limits, sessionScope: 'connection', citus: 'lenient' }
const pooledCitus: SessionSettingsPolicy = { limits, sessionScope: 'transaction', citus: 'strict' }

const textsOf = (statements: readonly { readonly text: string }[]): string[] => statements.map(({ text }) => text)

test('on Citus, the organization is the only setting that a transaction sends to the nodes', () => {
  const setOrganization = `set local app.organization_id = '${organization}'`
  assert.deepEqual(textsOf(buildBeginStatements(own, citus)), ['begin', setOrganization])
  assert.deepEqual(buildStatementFrame(own, citus), {
    before: buildBeginStatements(own, citus),
    after: [{ text: 'commit', values: [] }],
  })
  for (const session of [across, owner]) {
    assert.deepEqual(textsOf(buildBeginStatements(session, citus)), ['begin'])
    assert.deepEqual(buildStatementFrame(session, citus), { before: [], after: [] })
  }
  // `set_config` is not sent on.
  const [begin, settings, ...others] = textsOf(buildBeginStatements(own, pooledCitus))
  assert.equal(begin, 'begin')
  assert.match(settings!, /^select set_config\('role', \$1, true\),.* set_config\('citus.propagate_set_commands', /)
  assert.deepEqual(others, [setOrganization])
  const notAnId: DatabaseSession = { role: 'app', organization: `' or true` }
  assert.throws(() => buildBeginStatements(notAnId, citus), { failure: 'bad-parameter' })
})

test('on Citus, a connection keeps no organization, and no plan of one', () => {
  for (const prepared of [false, true, 'generic'] as const) {
    const settings = { role: 'swath_app', organization: '', limit_ms: 1000, planMode: 'force_custom_plan' }
    assert.deepEqual(toDatabaseSessionSettings(own, citus, prepared), settings)
    // Citus plans no statement of all organizations without its values.
    assert.equal(toDatabaseSessionSettings(across, citus, prepared).planMode, 'force_custom_plan')
  }
  assert.equal(toDatabaseSessionSettings(own, plain).organization, organization)
})

test('behind a pooler, a statement has its settings in the same message, without a transaction of its own', () => {
  const { before, after } = buildStatementFrame({ ...own, isSearch: true }, pooled)
  assert.deepEqual(after, [])
  assert.equal(before.length, 1)
  const { text, values } = before[0]!
  assert.match(text, /^select set_config\('role', \$1, true\), set_config\('app.organization_id', \$2, true\), /)
  assert.deepEqual(values, ['swath_app', organization, '500', '1000', 'UTC', 'ISO', 'off'])
  assert.deepEqual(buildStatementFrame(owner, pooled), { before: [], after: [] })
  assert.deepEqual(buildStatementFrame(own, plain), { before: [], after: [] })
})
