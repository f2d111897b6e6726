import { createBoundedCache } from '../../bounded-cache.ts'
import {
  SqlFragment,
  TemplateParameter,
  toStatement,
  type SqlStatement,
  type SqlTemplate,
  type TemplateValues,
} from '../sql.ts'

/** Makes the statement of a template. */
export type BindTemplate = (template: SqlTemplate) => SqlStatement

interface ComposedTemplate {
  readonly text: string
  readonly parameters: readonly TemplateParameter[]
  readonly prepared: SqlStatement['prepared']
  /** The texts of the fragments among the values: another fragment makes another statement. */
  readonly fragments: readonly (readonly [name: string, strings: readonly string[]])[]
}

/** A fragment with a parameter for each of its values. */
function toParameterFragment(name: string, { strings, values }: SqlFragment): SqlFragment {
  if (values.some((value) => value instanceof SqlFragment)) throw new Error(`the fragment ${name} has fragments in it`)
  return new SqlFragment(
    strings,
    values.map((_, index) => new TemplateParameter(name, index)),
  )
}

function toParameter(name: string, value: unknown): unknown {
  if (value === null) return null
  return value instanceof SqlFragment ? toParameterFragment(name, value) : new TemplateParameter(name)
}

function composeTemplate({ parameters, build, shape }: SqlTemplate): ComposedTemplate {
  const entries = Object.entries(parameters)
  const fragment = build(Object.fromEntries(entries.map(([name, value]) => [name, toParameter(name, value)])))
  const { text, values, prepared } = toStatement(fragment)
  const bound = values.filter((value) => value instanceof TemplateParameter)
  if (bound.length < values.length) throw new Error(`the template ${shape} binds what is not one of its parameters`)
  const fragments = entries.flatMap(([name, value]) =>
    value instanceof SqlFragment ? [[name, value.strings] as const] : [],
  )
  return { text, parameters: bound, prepared, fragments }
}

const hasFragments = ({ fragments }: ComposedTemplate, parameters: TemplateValues): boolean =>
  fragments.every(([name, strings]) => (parameters[name] as SqlFragment | null)?.strings === strings)

const valueOf = (parameters: TemplateValues, { name, index }: TemplateParameter): unknown =>
  index === null ? parameters[name] : (parameters[name] as SqlFragment).values[index]

/** Binds templates, with the texts of the last `max_texts` shapes. */
export function createTemplateTexts(max_texts = 500): BindTemplate {
  const composed = createBoundedCache<string, ComposedTemplate>({ max_entries: max_texts })
  return (template) => {
    const { parameters } = template
    let key = template.shape
    for (const name in parameters) key += parameters[name] === null ? ' null' : ' value'
    let known = composed.get(key)
    if (known === undefined || !hasFragments(known, parameters)) {
      known = composeTemplate(template)
      composed.set(key, known)
    }
    const { text, prepared } = known
    return { text, values: known.parameters.map((parameter) => valueOf(parameters, parameter)), prepared }
  }
}
