import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { WithDefault, WithDescription, StrictObject, AnyObject } from '../schemas/primitives.ts'
import { ProvenanceEntityType, Lineage } from '../schemas/provenance.ts'

const traversalFields = {
  entity_type: WithDescription('Type of the entity.', ProvenanceEntityType),
  entity_id: Type.String({ minLength: 1, maxLength: 500, description: 'A UUID; for a capture its id at the host.' }),
  direction: WithDefault(
    Type.Enum(['up', 'down', 'both'], { description: '`up` to its sources, `down` to what was derived from it.' }),
    'up',
  ),
  max_depth: WithDefault(
    Type.Integer({ minimum: 1, maximum: limits.max_lineage_depth, description: 'Maximum number of steps.' }),
    20,
  ),
}

export const provenanceGetOperation = operation({
  id: 'provenance.get',
  scope: 'provenance:read',
  effect: 'read',
  summary: 'Read the lineage of an entity of the organization: up to its sources, or down to its derivatives.',
  input: StrictObject(traversalFields),
  output: Lineage,
  problems: ['not-found', 'not-a-member'],
})

export const provenanceExportOperation = operation({
  id: 'provenance.export',
  scope: 'provenance:read',
  effect: 'export',
  summary: 'Export the lineage of an entity as W3C PROV-JSON.',
  input: StrictObject(traversalFields),
  output: WithDescription(
    '`swath:truncated` on the root is true if there are more edges than one document holds.',
    AnyObject,
  ),
  problems: ['not-found', 'not-a-member'],
  extension: true,
})
