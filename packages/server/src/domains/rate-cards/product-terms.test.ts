import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  applyProductTerms,
  foldProductVersions,
  isProductOffered,
  requiresSecondOperatorApproval,
} from './product-terms.ts'

const price = { product: 'Aerial', rate_credits: 350, minimum_km2: 5, licences: ['standard', 'extended'] }

test('each version changes the terms that it states and keeps the rest; null stands for the term of the host', () => {
  const versions = [
    { product: 'a:x', version: 1, changes: { minimum_km2: 10, licences: ['standard'] } },
    { product: 'a:x', version: 3, changes: { is_available: false } },
    { product: 'a:x', version: 2, changes: { minimum_km2: null } },
  ]
  const terms = foldProductVersions(versions)
  assert.deepEqual(terms.get('a:x'), {
    version: 2,
    is_available: false,
    minimum_km2: null,
    licences: ['standard'],
    eula: null,
    params: null,
  })
  assert.equal(isProductOffered(terms, 'a:x'), false)
  assert.equal(isProductOffered(terms, 'a:y'), true)
})

test('the price of a product has the terms in force and names their version', () => {
  const [terms] = foldProductVersions([
    { product: 'a:x', version: 4, changes: { minimum_km2: 0, eula: 'new' } },
  ]).values()
  assert.deepEqual(applyProductTerms({ price, eula: 'old' }, terms), {
    eula: 'new',
    price: { ...price, minimum_km2: 0, product_version: 4 },
  })
  assert.deepEqual(applyProductTerms({ price: null }, terms), { price: null, eula: 'new' })
  assert.deepEqual(applyProductTerms({ price }, undefined), { price })
})

test('a second operator decides on prices and licences, not on availability and parameters', () => {
  assert.deepEqual(
    [{ minimum_km2: null }, { licences: ['standard'] }, { eula: null }].map(requiresSecondOperatorApproval),
    [true, true, true],
  )
  assert.equal(requiresSecondOperatorApproval({ is_available: false, params: {} }), false)
})
