import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Default, Described, Input, Open } from '../shapes/primitives.ts'
import { EntityType, Lineage } from '../shapes/provenance.ts'

const followed = {
  entity_type: Described('Type of the entity.', EntityType),
  entity_id: Type.String({ minLength: 1, maxLength: 500, description: 'A UUID; for a capture its id at the host.' }),
  direction: Default(
    Type.Enum(['up', 'down', 'both'], { description: '`up` to its sources, `down` to what was derived from it.' }),
    'up',
  ),
  max_depth: Default(
    Type.Integer({ minimum: 1, maximum: limits.lineage_depth, description: 'Maximum number of steps.' }),
    20,
  ),
}

export const provenanceGet = operation({
  id: 'provenance.get',
  scope: 'provenance:read',
  effect: 'read',
  summary: 'Read the lineage of an entity of the organization: up to its sources, or down to its derivatives.',
  input: Input(followed),
  output: Lineage,
  problems: ['not-found', 'not-a-member'],
  answered: true,
})

export const provenanceExport = operation({
  id: 'provenance.export',
  scope: 'provenance:read',
  effect: 'export',
  summary: 'Export the lineage of an entity as W3C PROV-JSON.',
  input: Input(followed),
  output: Described('`swath:truncated` on the root is true if there are more edges than one document holds.', Open),
  problems: ['not-found', 'not-a-member'],
  extension: true,
  answered: true,
})
