import Type from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Default, Described, Input } from '../shapes/primitives.ts'
import { EntityType, Lineage } from '../shapes/provenance.ts'

export const provenanceGet = operation({
  id: 'provenance.get',
  scope: 'provenance:read',
  effect: 'read',
  summary:
    'Follow the lineage of an entity of the organization, up to what it came from or down to what was made of it.',
  input: Input({
    entity_type: Described('What the id belongs to.', EntityType),
    entity_id: Type.String({ minLength: 1, maxLength: 500, description: 'A UUID; for a capture the id of its host.' }),
    direction: Default(
      Type.Enum(['up', 'down', 'both'], { description: '`up` to what it came from, `down` to what was made of it.' }),
      'up',
    ),
    max_depth: Default(Type.Integer({ minimum: 1, maximum: limits.lineage_depth, description: 'Steps.' }), 20),
  }),
  output: Lineage,
  problems: ['not-found'],
  answered: true,
})
