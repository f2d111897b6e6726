import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OldestEntityEvent } from '../events/entity-events.ts'
import { toProvEntityKey, toProvDocument } from './prov-json.ts'
import type { TracedProvenanceEdge, TracedProvenanceNode } from './trace.ts'

const at = new Date('2026-01-01T00:00:00Z')
const node = (entity_type: string, entity_id: string, depth: number, deleted = false): TracedProvenanceNode => ({
  entity_type,
  entity_id,
  depth,
  deleted,
})
const edge = (src: TracedProvenanceNode, relation: string, dst: TracedProvenanceNode): TracedProvenanceEdge => ({
  src_type: src.entity_type,
  src_id: src.entity_id,
  dst_type: dst.entity_type,
  dst_id: dst.entity_id,
  relation,
  invocation_id: 'call',
  created_at: at,
  depth: 1,
})
const createdBy = (
  { entity_type, entity_id }: TracedProvenanceNode,
  actor_kind: string,
): [string, OldestEntityEvent] => [
  toProvEntityKey(entity_type, entity_id),
  { entity_type, entity_id, actor_kind, actor_id: 'somebody', created_at: at },
]

const clip = node('item', 'clip', 0)
const scene = node('item', 'scene', 1, true)
const job = node('processing_job', 'job', 1)
const order = node('order', 'order', 2)
const capture = node('capture', 'host:S2A_1/ä', 3)
const document = toProvDocument({
  base: 'https://swath.example',
  organization: 'org',
  trace: {
    nodes: [clip, scene, job, order, capture],
    edges: [
      edge(clip, 'derived_from', scene),
      edge(clip, 'produced_by', job),
      edge(job, 'derived_from', scene),
      edge(scene, 'delivered_by', order),
      edge(order, 'derived_from', capture),
      edge(job, 'derived_from', order),
    ],
    truncated: true,
  },
  creators: new Map([createdBy(clip, 'service'), createdBy(order, 'human')]),
})
const records = (section: string) => Object.values((document[section] ?? {}) as Record<string, Record<string, unknown>>)

test('events are activities, other things are entities, and each edge has the relation of its ends', () => {
  assert.deepEqual(Object.keys(document['activity'] as object).sort(), [
    'swath:order/order',
    'swath:processing_job/job',
  ])
  assert.deepEqual(Object.keys(document['entity'] as object), [
    'swath:item/clip',
    'swath:item/scene',
    'swath:capture/host%3AS2A_1%2F%C3%A4',
  ])
  const pairsOf = (section: string, first: string, second: string) =>
    records(section).map((record) => `${record[first]} ${record[second]}`)
  assert.deepEqual(pairsOf('wasDerivedFrom', 'prov:generatedEntity', 'prov:usedEntity'), [
    'swath:item/clip swath:item/scene',
  ])
  assert.deepEqual(pairsOf('wasGeneratedBy', 'prov:entity', 'prov:activity'), [
    'swath:item/clip swath:processing_job/job',
    'swath:item/scene swath:order/order',
  ])
  assert.deepEqual(pairsOf('used', 'prov:activity', 'prov:entity'), [
    'swath:processing_job/job swath:item/scene',
    'swath:order/order swath:capture/host%3AS2A_1%2F%C3%A4',
  ])
  assert.deepEqual(pairsOf('wasInformedBy', 'prov:informed', 'prov:informant'), [
    'swath:processing_job/job swath:order/order',
  ])
})

test('creators are agents of the organization', () => {
  const agents = document['agent'] as Record<string, { 'prov:type': { $: string } }>
  const agentTypes = Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, agent['prov:type'].$]))
  assert.deepEqual(agentTypes, {
    'swath:organization/org': 'prov:Organization',
    'swath:service/somebody': 'prov:SoftwareAgent',
    'swath:human/somebody': 'prov:Person',
  })
  assert.deepEqual(records('wasAttributedTo'), [
    { 'prov:entity': 'swath:item/clip', 'prov:agent': 'swath:service/somebody' },
  ])
  assert.deepEqual(records('wasAssociatedWith'), [
    { 'prov:activity': 'swath:order/order', 'prov:agent': 'swath:human/somebody' },
  ])
  assert.equal(records('actedOnBehalfOf').length, 2)
})

test('deleted entities and truncation are marked', () => {
  const entities = document['entity'] as Record<string, Record<string, unknown>>
  assert.equal(entities['swath:item/scene']!['swath:deleted'], true)
  assert.equal(entities['swath:item/clip']!['swath:truncated'], true)
  assert.deepEqual(document.prefix, { swath: 'https://swath.example/lineage/' })
})
