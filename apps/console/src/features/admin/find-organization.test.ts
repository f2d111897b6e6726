import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { findOrganization } from './find-organization.ts'

const survey = { id: '0197f2a0-0000-7000-8000-000000000001', name: 'Survey' }
const known = [survey, { id: '0197f2a0-0000-7000-8000-000000000002', name: 'Survey North' }]

test('an organization is found by its whole name in any case', () => {
  equal(findOrganization(known, 'survey'), survey)
  equal(findOrganization(known, 'Surv'), 'none')
  equal(findOrganization(known, ''), 'none')
})

test('an id means its organization, which need not be among those that were found', () => {
  deepEqual(findOrganization([], survey.id.toUpperCase()), { id: survey.id })
})

test('a name that two organizations have means neither', () => {
  equal(findOrganization([...known, { ...survey, id: '0197f2a0-0000-7000-8000-000000000003' }], 'Survey'), 'several')
})
