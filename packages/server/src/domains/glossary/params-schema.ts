import { limits } from '@swath/contract/limits.ts'
import Type, { type TSchema } from 'typebox'
import { restrictProductParams, type OrderParamsSchema } from './restrict-params.ts'
import type { DataProduct } from './data-products.ts'

/** The parameters of an order of a data product, as `toOrderParamsSchema` describes them. */
export interface ProductOrderParams {
  readonly id: string | readonly string[]
  readonly licenseType?: string
  readonly splitByDate?: boolean
}

const SceneId = Type.String({ minLength: 1, maxLength: 500 })

/** The scenes and the parameters that an order of a data product takes, as JSON Schema (draft-07). */
export const toOrderParamsSchema = ({ title, collection, licences, params }: DataProduct): TSchema =>
  restrictProductParams(describeParams(title, collection.id, licences), params)

const describeParams = (title: string, collection: string, licences: readonly string[]): OrderParamsSchema => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title,
  type: 'object',
  properties: {
    id: {
      title: 'Scenes',
      description: `The id of a scene of the collection "${collection}", or a list of them (\`catalog.search\`).`,
      anyOf: [
        { ...SceneId },
        { type: 'array', items: { ...SceneId }, minItems: 1, maxItems: limits.max_captures, uniqueItems: true },
      ],
    },
    licenseType: {
      title: 'Licence',
      description: `The licence of the scenes; by default "${licences[0]}".`,
      type: 'string',
      enum: [...licences],
    },
    splitByDate: {
      title: 'Split by date',
      description: 'Price the scenes of each acquisition date as one area with one minimum.',
      type: 'boolean',
      default: false,
    },
  },
  required: ['id'],
  additionalProperties: false,
})
