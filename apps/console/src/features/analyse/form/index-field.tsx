import { useOperation } from '../../../api/use-operation.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { SelectField, type Choice } from '../../../ui/field.tsx'

const words = analyseTexts

interface IndexFieldProps {
  readonly label: string
  readonly help: string | null
  readonly error: string | null
  readonly value: string
  /** The names that the schema allows; empty if it allows any text. */
  readonly known: readonly string[]
  readonly onChange: (value: string) => void
}

/** A spectral index by its name and title, with its formula below. */
export function IndexField({ known, help, ...rest }: IndexFieldProps) {
  const indices = useOperation('analytics.indices.list', {})
  const all = indices.data?.indices ?? []
  const names = known.length > 0 ? known : all.map(({ name }) => name)
  const choices = names.map((name): Choice => {
    const title = all.find((index) => index.name === name)?.title
    return { value: name, label: title && title !== name ? `${name} · ${title}` : name }
  })
  const formula = all.find(({ name }) => name === rest.value)?.formula
  return (
    <SelectField
      {...rest}
      help={formula ?? help}
      choices={[
        { value: '', label: words.chooseIndex },
        ...choices.toSorted((left, right) => left.label.localeCompare(right.label)),
      ]}
    />
  )
}
