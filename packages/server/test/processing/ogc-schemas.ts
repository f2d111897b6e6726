// The schemas of process descriptions in OGC API - Processes 1.0 (OGC 18-062r2: `process.yaml`, `schema.yaml`), as JSON Schema.

const count = { type: 'integer', minimum: 0 }
const flag = { type: 'boolean' }
const text = { type: 'string' }
const number = { type: 'number' }
const schema = { $ref: '#/$defs/schema' }

/** The schema object of OpenAPI 3.0, and nothing else: words of later versions are refused. */
const schemaObject = {
  type: 'object',
  additionalProperties: false,
  // A list says what is in it.
  anyOf: [{ not: { required: ['type'], properties: { type: { const: 'array' } } } }, { required: ['items'] }],
  properties: {
    title: text,
    description: text,
    type: { enum: ['array', 'boolean', 'integer', 'number', 'object', 'string'] },
    format: text,
    default: {},
    example: {},
    enum: { type: 'array', minItems: 1 },
    multipleOf: { type: 'number', exclusiveMinimum: 0 },
    maximum: number,
    exclusiveMaximum: flag,
    minimum: number,
    exclusiveMinimum: flag,
    maxLength: count,
    minLength: count,
    pattern: text,
    maxItems: count,
    minItems: count,
    uniqueItems: flag,
    maxProperties: count,
    minProperties: count,
    required: { type: 'array', minItems: 1, uniqueItems: true, items: text },
    items: schema,
    properties: { type: 'object', additionalProperties: schema },
    additionalProperties: { anyOf: [flag, schema] },
    not: schema,
    allOf: { type: 'array', items: schema },
    oneOf: { type: 'array', items: schema },
    anyOf: { type: 'array', items: schema },
    nullable: flag,
    readOnly: flag,
    writeOnly: flag,
    deprecated: flag,
    contentMediaType: text,
    contentEncoding: text,
    contentSchema: text,
  },
}

const link = { type: 'object', required: ['href'], properties: { href: text, rel: text, type: text } }

const described = (more: object, required: readonly string[]) => ({
  type: 'object',
  required,
  properties: { title: text, description: text, keywords: { type: 'array', items: text }, ...more },
})

const words = (...values: string[]) => ({ type: 'array', items: { enum: values } })

export const processDescriptionSchema = {
  $defs: { schema: schemaObject },
  ...described(
    {
      id: text,
      version: text,
      jobControlOptions: words('sync-execute', 'async-execute', 'dismiss'),
      outputTransmission: words('value', 'reference'),
      links: { type: 'array', items: link },
      inputs: {
        type: 'object',
        additionalProperties: described(
          {
            schema,
            minOccurs: { type: 'integer' },
            maxOccurs: { anyOf: [{ type: 'integer' }, { const: 'unbounded' }] },
          },
          ['schema'],
        ),
      },
      outputs: { type: 'object', additionalProperties: described({ schema }, ['schema']) },
    },
    ['id', 'version', 'inputs', 'outputs'],
  ),
}
