import type { OrderParamRestriction, ParamRestrictions } from '../rate-cards/product-terms.ts'

interface ParamSchema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly enum?: readonly string[]
}

/** The JSON Schema of the parameters of orders of a product. */
export interface OrderParamsSchema {
  readonly properties: Readonly<Record<string, object>>
  readonly required?: readonly string[]
  readonly [keyword: string]: unknown
}

/** The schema with narrower parameters; it never accepts a value that it refused without them. */
export function restrictProductParams(schema: OrderParamsSchema, restrictions: ParamRestrictions): OrderParamsSchema {
  const names = Object.keys(restrictions).filter((name) => schema.properties[name])
  if (names.length === 0) return schema
  const narrowed = names.map((name) => [name, narrow(schema.properties[name]!, restrictions[name]!)])
  const required = names.filter((name) => restrictions[name]!.required)
  return {
    ...schema,
    properties: { ...schema.properties, ...Object.fromEntries(narrowed) },
    required: [...new Set([...(schema.required ?? []), ...required])],
  }
}

function narrow(param: ParamSchema, { minimum, maximum, enum: values }: OrderParamRestriction): ParamSchema {
  return {
    ...param,
    ...(minimum === undefined ? {} : { minimum: Math.max(minimum, param.minimum ?? minimum) }),
    ...(maximum === undefined ? {} : { maximum: Math.min(maximum, param.maximum ?? maximum) }),
    ...(values === undefined ? {} : { enum: values.filter((value) => param.enum?.includes(value)) }),
  }
}

/** The error of a restriction that does not fit the parameters of a product, with the name of the parameter. */
export interface ParamRestrictionError {
  readonly name: string
  readonly message: string
}

/** The restrictions that have no meaning for a schema, or that leave no value. */
export const findParamRestrictionErrors = (
  schema: OrderParamsSchema,
  restrictions: ParamRestrictions,
): ParamRestrictionError[] =>
  Object.entries(restrictions).flatMap(([name, restriction]) => {
    const message = findFault(schema.properties[name], restriction)
    return message === null ? [] : [{ name, message }]
  })

function findFault(param: ParamSchema | undefined, restriction: OrderParamRestriction): string | null {
  if (!param) return 'is not a parameter of this data product'
  const { minimum, maximum, enum: values } = restriction
  const isNumber = param.type === 'number'
  if (!isNumber && (minimum !== undefined || maximum !== undefined)) return 'is not a number and has no bounds'
  if (values?.some((value) => !param.enum?.includes(value)))
    return `has only the values ${(param.enum ?? []).join(', ') || 'that its type has'}`
  const narrowed = narrow(param, restriction)
  return narrowed.minimum !== undefined && narrowed.maximum !== undefined && narrowed.minimum > narrowed.maximum
    ? 'would have no value'
    : null
}
