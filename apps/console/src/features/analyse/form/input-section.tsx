import { AreaTools } from '../../../area/area-tools.tsx'
import { AreaLayer } from '../../../map/area-layer.tsx'
import type { InputField } from '../../../schema-form/schema-fields.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { SelectField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Section } from '../../../ui/screen.tsx'
import styles from '../analyse.module.css'
import type { AnalysedItem } from '../sources/analysed-item.ts'
import type { AnalyseUrl } from '../state/use-analyse-url.ts'
import { FieldControl } from './field-control.tsx'
import { labelOf, type ProcessFields } from './process-fields.ts'
import { itemOf, type ProcessInput } from './process-input.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts

export interface InputSectionProps {
  readonly fields: ProcessFields
  readonly input: ProcessInput
  readonly items: readonly AnalysedItem[]
  readonly url: AnalyseUrl
  /** The platform's reasons to refuse inputs, by the name of the input. */
  readonly refused: Readonly<Record<string, string>>
}

/** The form of a process: which items, which area, and everything that its schema asks for. */
export function InputSection(props: InputSectionProps) {
  const { fields, input, url, refused } = props
  const { choices, change } = url
  const set = (name: string, text: string): void => change({ values: { ...choices.values, [name]: text } })
  const toControl = (field: InputField) => (
    <FieldControl
      key={field.name}
      field={field}
      value={choices.values[field.name] ?? ''}
      fault={input.faults[field.name] ?? null}
      refusal={refused[field.name] ?? null}
      onChange={(text) => set(field.name, text)}
    />
  )
  const isOpen = fields.more.some(({ name }) => (choices.values[name] ?? '') !== '' || refused[name])
  return (
    <>
      {fields.area && <AreaSection field={fields.area} url={url} refusal={refused[fields.area.name] ?? null} />}
      <Section title={words.inputs}>
        <div className={layout['stack12']}>
          <ItemFields {...props} onChoose={set} />
          {fields.main.map(toControl)}
          {fields.more.length > 0 && (
            <details className={styles['more']} open={isOpen || undefined}>
              <summary>{words.more(fields.more.length)}</summary>
              {fields.more.map(toControl)}
            </details>
          )}
        </div>
      </Section>
    </>
  )
}

type ItemFieldsProps = Pick<InputSectionProps, 'fields' | 'items' | 'url'> & {
  readonly onChoose: (name: string, id: string) => void
}

/** Selects the item of an input among the chosen ones; without a choice if there is one. */
function ItemFields({ fields, items, url: { choices }, onChoose }: ItemFieldsProps) {
  if (items.length === 0) return <p className={typography['note']}>{words.itemsNeeded}</p>
  if (fields.items) return <p className={typography['note']}>{words.chosenItems(items.length)}</p>
  if (items.length === 1) return null
  return fields.item.map((field, at) => (
    <SelectField
      key={field.name}
      label={labelOf(field.name)}
      value={itemOf(field, at, choices) ?? ''}
      choices={items.map(({ id, title, at: taken }) => ({
        value: id,
        label: [title, taken && formatDate(taken)].filter(Boolean).join(' · '),
      }))}
      onChange={(id) => onChoose(field.name, id)}
    />
  ))
}

interface AreaSectionProps {
  readonly field: InputField
  readonly url: AnalyseUrl
  readonly refusal: string | null
}

function AreaSection({ field, url: { choices, isAreaMissing, change }, refusal }: AreaSectionProps) {
  const { area } = choices
  return (
    <Section title={words.area}>
      {isAreaMissing && <p role="status">{words.areaUnknown}</p>}
      <AreaTools area={area} onChange={(next) => change({ area: next })} />
      {!area && <p className={typography['note']}>{field.isRequired ? words.areaRequired : words.areaOptional}</p>}
      {refusal && <p role="alert">{refusal}</p>}
      {area && (
        <AreaLayer id="analyse-area" geometry={area as unknown as GeoJSON.Geometry} colour="--accent" isDashed />
      )}
    </Section>
  )
}
