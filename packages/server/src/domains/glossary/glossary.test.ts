import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HostCollection, ImageryHost } from '../../platform/integrations/imagery-host.ts'
import { isUuid } from '../../platform/ids.ts'
import { noPriceRates } from '../contracts/rates.ts'
import { listDataProducts } from './data-products.ts'
import { listGlossaryCollections, listGlossaryProviders, toGlossaryDataProduct } from './glossary.ts'
import { toSortedPage } from '../../engine/sorted-page.ts'
import { listVendors } from './vendors.ts'

const collection = (id: string, members: Partial<HostCollection> = {}): HostCollection => ({
  id,
  title: `Collection ${id}`,
  data_type: 'optical',
  render_strategy: 'cog',
  gsd: 10,
  render_params: {},
  license: 'CC-BY-4.0',
  license_url: 'https://example.com/licence',
  attribution: '',
  price: null,
  queryables: [],
  ...members,
})

const host = (name: string, members: Partial<ImageryHost> = {}): ImageryHost =>
  ({
    name,
    title: `Host ${name}`,
    description: `Imagery of ${name}.`,
    countries: ['AU'],
    providers: [],
    collections: [],
    ...members,
  }) as unknown as ImageryHost

const price = {
  product: 'Aerial archive',
  rate_credits: 350,
  minimum_km2: 5,
  valid_from: '2026-01-01',
  licences: ['standard', 'extended'],
}
const seller = host('seller', {
  providers: [{ name: 'Flyer', roles: ['producer'], url: 'https://example.com' }],
  collections: [collection('aerial', { price, gsd: 0.5 }), collection('relief', { data_type: 'elevation', gsd: null })],
})

test('the id of a product stays the same when its price and title change, and differs between hosts', () => {
  const renamed = host('seller', { collections: [collection('aerial', { title: 'New', price: null })] })
  const [first] = listDataProducts([seller])
  // By another implementation of RFC 9562.
  assert.equal(first!.id, 'd25beeac-562e-5015-9c73-88f36bfbe71f')
  assert.ok(isUuid(first!.id))
  assert.equal(listDataProducts([renamed])[0]!.id, first!.id)
  const other = host('other', { collections: seller.collections })
  assert.equal(new Set(listDataProducts([seller, other]).map(({ id }) => id)).size, 4)
})

test('a priced product has the licences of its price, a free one that of its collection', () => {
  const [aerial, relief] = listDataProducts([seller])
  assert.deepEqual([aerial!.title, aerial!.licences], ['Aerial archive', ['standard', 'extended']])
  assert.deepEqual([relief!.title, relief!.licences, relief!.price], ['Collection relief', ['CC-BY-4.0'], null])
})

test('a collection of two hosts is listed once, with both hosts and the product of each', () => {
  const other = host('other', { collections: [collection('aerial')] })
  const collections = listGlossaryCollections([seller, other], noPriceRates.products)
  assert.deepEqual(
    collections.map(({ name }) => name),
    ['aerial', 'relief'],
  )
  const { providers, dataProducts, createdAt } = collections[0]!
  assert.deepEqual(
    providers.map(({ name, roles }) => [name, roles]),
    [
      ['seller', ['HOST']],
      ['Flyer', ['PRODUCER']],
      ['other', ['HOST']],
    ],
  )
  assert.deepEqual(
    dataProducts.map(({ name }) => name),
    ['seller:aerial', 'other:aerial'],
  )
  assert.equal(createdAt, '2026-01-01T00:00:00.000Z')
})

test('a collection has no producer if its host names several', () => {
  const providers = ['One', 'Two'].map((name) => ({ name, roles: ['producer'] }))
  const [first] = listGlossaryCollections(
    [host('many', { providers, collections: [collection('a')] })],
    noPriceRates.products,
  )
  assert.deepEqual(
    first!.providers.map(({ name }) => name),
    ['many'],
  )
  assert.deepEqual(
    listGlossaryProviders([host('many', { providers })]).map(({ name }) => name),
    ['many', 'One', 'Two'],
  )
})

test('a producer of the name of a host is one provider with both roles, a licensor is none', () => {
  const own = [
    { name: 'both', roles: ['producer'] },
    { name: 'Lawyer', roles: ['licensor'] },
  ]
  assert.deepEqual(
    listGlossaryProviders([host('both', { providers: own })]).map(({ name, roles }) => [name, roles]),
    [['both', ['HOST', 'PRODUCER']]],
  )
})

test('the metadata of a collection have only what its host states', () => {
  const metadataOf = (members: Partial<HostCollection>) =>
    listGlossaryCollections([host('h', { collections: [collection('c', members)] })], noPriceRates.products)[0]!
      .metadata
  assert.deepEqual(metadataOf({ gsd: 4 }), {
    productType: 'OPTICAL',
    resolutionClass: 'VERY_HIGH',
    resolutionValue: { minimum: 4 },
  })
  assert.deepEqual(metadataOf({ data_type: 'sar', gsd: 4.1 }).resolutionClass, 'HIGH')
  assert.deepEqual(metadataOf({ gsd: 1000 }).resolutionClass, 'LOW')
  assert.deepEqual(metadataOf({ data_type: 'elevation', gsd: null }), { productType: 'ELEVATION' })
  for (const data_type of ['hyperspectral', 'constructor']) assert.deepEqual(metadataOf({ data_type, gsd: null }), {})
})

test('the rate of a commitment replaces the list rate, which is still shown', () => {
  const [aerial, relief] = listDataProducts([seller])
  const commitment_id = '0190c0de-0000-7000-8000-000000000001'
  const negotiated = new Map([['Aerial archive', { commitment_id, unit: 'km2', rate_credits: 200 }]])
  const rates = { ...noPriceRates, negotiated }
  const expected = { unit: 'km2', list_rate_credits: 350, minimum_km2: 5, valid_from: '2026-01-01' }
  assert.deepEqual(toGlossaryDataProduct(aerial!, rates).price, { ...expected, rate_credits: 200, commitment_id })
  assert.deepEqual(toGlossaryDataProduct(aerial!, noPriceRates).price, {
    ...expected,
    rate_credits: 350,
    commitment_id: null,
  })
  assert.equal(toGlossaryDataProduct(relief!, rates).price, null)
  const listed = new Map([['Aerial archive', { rate_credits: 400, minimum_km2: null, valid_from: '2026-07-01' }]])
  assert.deepEqual(toGlossaryDataProduct(aerial!, { ...rates, listed }).price, {
    ...expected,
    rate_credits: 200,
    list_rate_credits: 400,
    valid_from: '2026-07-01',
    commitment_id,
  })
})

test('an impossible date of a price is no date of the product', () => {
  const impossible = collection('a', { price: { ...price, valid_from: '2026-99-99' } })
  const [product] = listDataProducts([host('h', { collections: [impossible] })])
  assert.equal(toGlossaryDataProduct(product!, noPriceRates).createdAt, null)
})

test('a host without a matching product is not a vendor', () => {
  const [vendor, ...others] = listVendors(
    [seller, host('empty')],
    noPriceRates.products,
    ({ collection: { id } }) => id === 'relief',
  )
  assert.deepEqual(others, [])
  assert.deepEqual([vendor!.id, vendor!.countries], ['seller', ['AU']])
  assert.deepEqual(vendor!.products, [listDataProducts([seller])[1]!.id])
})

test('rows are sorted in both directions, those without a value are last and equal ones are in order of their name', () => {
  const rows = [
    { name: 'b', createdAt: null },
    { name: 'd', createdAt: '2026-01-01' },
    { name: 'a', createdAt: null },
    { name: 'c', createdAt: '2026-02-01' },
  ]
  const namesOf = (sort: string | null): string =>
    toSortedPage(rows, { sort, size: 10, page: 0 })
      .content.map(({ name }) => name)
      .join('')
  assert.equal(namesOf('createdAt,desc'), 'cdab')
  assert.equal(namesOf('createdAt,asc'), 'dcab')
  assert.equal(namesOf('name,desc'), 'dcba')
  assert.equal(namesOf(null), 'abcd')
})

test('pages divide the rows, the last one says so, and no rows are one page', () => {
  const rows = ['a', 'b', 'c'].map((name) => ({ name }))
  const page = (number: number) => toSortedPage(rows, { sort: null, size: 2, page: number })
  assert.deepEqual(page(0), {
    content: [{ name: 'a' }, { name: 'b' }],
    last: false,
    totalElements: 3,
    totalPages: 2,
    size: 2,
    page: 0,
  })
  assert.deepEqual([page(1).content, page(1).last], [[{ name: 'c' }], true])
  assert.deepEqual([page(2).content, page(2).last], [[], true])
  assert.equal(toSortedPage([], { sort: null, size: 2, page: 0 }).totalPages, 1)
})
