import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createManualClock } from '../../platform/clock.ts'
import type { HostEula } from '../../platform/integrations/imagery-host.ts'
import { findEulaAgreement, findEulaId, isEulaDocumentReplaced, listEulaAgreements } from './agreements.ts'

const document = (version: string, date: string, content = 'Text.') => ({
  version,
  valid_from: new Date(`${date}T00:00:00Z`),
  language: 'en',
  media_type: 'text/plain',
  content,
})
const eula = (name: string, documents: HostEula['documents'] = [document('1', '2025-01-01')]): HostEula => ({
  name,
  title: name,
  documents,
})
const at = (time: string) => createManualClock(new Date(time)).forOrganization('any').now()
const host = (documents?: HostEula['documents']) => ({ name: 'host', eulas: [eula('own', documents), eula('other')] })

test('the valid version is the newest that has begun, and none before the first', () => {
  const versions = host([document('2', '2026-01-01'), document('1', '2025-01-01')])
  const readVersion = (time: string) => listEulaAgreements([versions], at(time))[0]!.current?.version ?? null
  assert.deepEqual(
    ['2024-12-31T23:59:59.999Z', '2025-01-01T00:00:00Z', '2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00Z'].map(
      readVersion,
    ),
    [null, '1', '1', '2'],
  )
})

test('a version is replaced from the date of the next one on', () => {
  const versions = host([document('1', '2025-01-01'), document('2', '2026-01-01')])
  const listReplaced = (time: string) => {
    const agreement = listEulaAgreements([versions], at(time))[0]!
    return agreement.documents.filter((one) => isEulaDocumentReplaced(agreement, one)).map(({ version }) => version)
  }
  assert.deepEqual(listReplaced('2024-01-01T00:00:00Z'), [])
  assert.deepEqual(listReplaced('2025-06-01T00:00:00Z'), [])
  assert.deepEqual(listReplaced('2026-06-01T00:00:00Z'), ['1'])
})

test('a changed text is another document of the same agreement, a changed title is not', () => {
  const now = at('2026-06-01T00:00:00Z')
  const [first] = listEulaAgreements([host()], now)
  const [changed] = listEulaAgreements([host([document('1', '2025-01-01', 'Another text.')])], now)
  assert.equal(changed!.id, first!.id)
  assert.notEqual(changed!.current!.id, first!.current!.id)
  const [renamed] = listEulaAgreements([{ name: 'host', eulas: [{ ...eula('own'), title: 'New' }] }], now)
  assert.deepEqual([renamed!.id, renamed!.current!.id], [first!.id, first!.current!.id])
})

test('a collection has its own agreement, or that of its host, or none', () => {
  const now = at('2026-06-01T00:00:00Z')
  const withDefault = { ...host(), eula: 'other' }
  assert.equal(findEulaAgreement(withDefault, { eula: 'own' }, now)?.name, 'own')
  assert.equal(findEulaAgreement(withDefault, {}, now)?.name, 'other')
  assert.equal(findEulaAgreement(withDefault, null, now)?.name, 'other')
  assert.equal(findEulaAgreement(host(), {}, now), null)
  assert.equal(findEulaId(host(), {}), null)
  assert.equal(findEulaId(withDefault, {}), findEulaAgreement(withDefault, null, now)?.id)
})

test('agreements of the same name at two hosts are two agreements', () => {
  const ids = listEulaAgreements([host(), { ...host(), name: 'second' }], at('2026-06-01T00:00:00Z')).map(
    ({ id }) => id,
  )
  assert.equal(new Set(ids).size, 4)
})
