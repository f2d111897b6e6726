import Type, { type TObject, type TSchema } from 'typebox'

/** Names of members that are amounts of money, such as `total_credits`, `creditsPrice` and `aud`. */
const moneyName = /credits|aud$/i

/** The part of a JSON Schema that says where members are. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
}

/** True if values of the schema have a member that is an amount of money, however deep. */
export function containsMoneyAmount(schema: TSchema): boolean {
  const hasMoney = ({ properties = {}, items, anyOf = [] }: SchemaNode): boolean =>
    Object.entries(properties).some(([name, node]) => moneyName.test(name) || hasMoney(node)) ||
    (items !== undefined && hasMoney(items)) ||
    anyOf.some(hasMoney)
  return hasMoney(schema as SchemaNode)
}

const playMoney = Type.Optional(
  Type.Boolean({ description: 'True for a sandbox organization: the money is worth nothing.' }),
)

/** The output of an operation that shows money, with the member that says that it is worth nothing. */
export function withPlayMoneyField<O extends TSchema>(output: O): O {
  const { properties } = output as unknown as Partial<TObject>
  if (properties === undefined || 'play_money' in properties || !containsMoneyAmount(output)) return output
  const {
    required: _derived,
    properties: _replaced,
    ...options
  } = output as unknown as TObject & { required?: unknown }
  return Type.Object({ ...properties, play_money: playMoney }, options) as unknown as O
}

/** True if the output of the operation says whether it is play money. */
export const hasPlayMoneyField = (output: TSchema): boolean => 'play_money' in ((output as SchemaNode).properties ?? {})
