import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findPlace, type NamedPlace } from './places.ts'

const place = (name: string): NamedPlace => ({ name, kind: 'city', lon: 0, lat: 0, zoom: 9 })
const places = ['Paris', 'Port Moresby', 'São Paulo', 'Paraguay'].map(place)

test('a place is found by its name, without regard to case, accents and spaces around it', () => {
  assert.equal(findPlace(places, ' sao paulo ')?.name, 'São Paulo')
})

test('a name that begins with the text comes before one that has it further on', () => {
  assert.equal(findPlace(places, 'pa')?.name, 'Paris')
  assert.equal(findPlace(places, 'para')?.name, 'Paraguay')
  assert.equal(findPlace(places, 'moresby')?.name, 'Port Moresby')
})

test('nothing is found for an empty or an unknown text', () => {
  assert.equal(findPlace(places, '  '), null)
  assert.equal(findPlace(places, 'Atlantis'), null)
})
