import { buildTexts } from '../../../texts/build.ts'
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import type { FieldFault, InputField } from '../../../schema-form/schema-fields.ts'

const words = buildTexts.form

export interface InputFormProps {
  readonly fields: readonly InputField[]
  readonly texts: Readonly<Record<string, string>>
  readonly faults: Readonly<Record<string, FieldFault>>
  readonly onChange: (name: string, text: string) => void
}

/** One control for each field of the input of an operation. */
export function InputForm({ fields, texts: entered, faults, onChange }: InputFormProps) {
  return fields.map((field) => {
    const fault = faults[field.name]
    return (
      <FieldControl
        key={field.name}
        field={field}
        value={entered[field.name] ?? ''}
        error={fault ? words.faults[fault] : null}
        onChange={(text) => onChange(field.name, text)}
      />
    )
  })
}

interface FieldControlProps {
  readonly field: InputField
  readonly value: string
  readonly error: string | null
  readonly onChange: (text: string) => void
}

function FieldControl({ field, value, error, onChange }: FieldControlProps) {
  const { name, kind, isRequired, description, defaultText, choices, isNumeric } = field
  const help = [words.kinds[kind], description].filter(Boolean).join(' ')
  const common = {
    label: isRequired ? words.required(name) : name,
    help: help || null,
    error,
    value,
    onChange,
    spellCheck: false,
    'aria-required': isRequired || undefined,
  }
  const empty = { value: '', label: defaultText ? words.default(defaultText) : words.empty }
  if (kind === 'choice' || kind === 'boolean') {
    const values = kind === 'choice' ? choices : ['true', 'false']
    return <SelectField {...common} choices={[empty, ...values.map((one) => ({ value: one, label: one }))]} />
  }
  if (kind === 'geojson' || kind === 'json') return <TextAreaField {...common} placeholder={defaultText} />
  if (kind === 'time') return <TextField {...common} type="datetime-local" />
  return (
    <TextField {...common} placeholder={defaultText} inputMode={isNumeric && kind === 'number' ? 'decimal' : 'text'} />
  )
}
