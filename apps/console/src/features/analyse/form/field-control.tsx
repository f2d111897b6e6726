import type { FieldFault, InputField } from '../../../schema-form/schema-fields.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { SelectField, TextAreaField, TextField } from '../../../ui/field.tsx'
import { IndexField } from './index-field.tsx'
import { labelOf } from './process-fields.ts'
import { useEffect, useRef, useState } from 'react'

const typing_pause_ms = 200

interface Draft {
  readonly value: string
  readonly onChange: (text: string) => void
  readonly onFocus: () => void
  readonly onBlur: () => void
}

/**
 * The text of a field whose value is a part of the URL: while a person types it is held here, because the URL follows
 * late, and it is written when they pause or leave the field.
 */
function useDraft(value: string, commit: (text: string) => void): Draft {
  const [draft, setDraft] = useState<string | null>(null)
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  })
  useEffect(() => {
    if (draft === null || draft === value) return
    const timer = setTimeout(() => latest.current(draft), typing_pause_ms)
    return () => clearTimeout(timer)
  }, [draft, value])
  return {
    value: draft ?? value,
    onChange: setDraft,
    onFocus: () => setDraft(value),
    onBlur: () => {
      if (draft !== null && draft !== value) commit(draft)
      setDraft(null)
    },
  }
}

const words = analyseTexts

export interface FieldControlProps {
  readonly field: InputField
  readonly value: string
  readonly fault: FieldFault | null
  /** The platform's reason to refuse the value. */
  readonly refusal: string | null
  readonly onChange: (text: string) => void
}

/** Inputs whose value is an index of the registry, which is shown by its title. */
const indexNames: ReadonlySet<string> = new Set(['index', 'index_name'])
const longTexts: ReadonlySet<string> = new Set(['expression'])

/** One control for one input; the schema says which. */
export function FieldControl({ field, value, fault, refusal, onChange }: FieldControlProps) {
  const { name, kind, isRequired, description, choices } = field
  // An empty required field is not reported yet.
  const error = refusal ?? (fault && fault !== 'required' ? words.faults[fault] : null)
  const help = [words.kinds[kind], description].filter(Boolean).join(' ')
  const common = {
    label: labelOf(name),
    help: help || null,
    error,
    value,
    onChange,
    'aria-required': isRequired || undefined,
  }
  if (indexNames.has(name) && kind !== 'json') return <IndexField {...common} known={choices} />
  const empty = { value: '', label: describeEmpty(field) }
  if (kind === 'choice')
    return <SelectField {...common} choices={[empty, ...choices.map((one) => ({ value: one, label: one }))]} />
  if (kind === 'boolean')
    return (
      <SelectField
        {...common}
        choices={[empty, { value: 'true', label: words.yes }, { value: 'false', label: words.no }]}
      />
    )
  return <TypedField {...common} field={field} />
}

interface TypedFieldProps {
  readonly field: InputField
  readonly label: string
  readonly help: string | null
  readonly error: string | null
  readonly value: string
  readonly onChange: (text: string) => void
  readonly 'aria-required': true | undefined
}

function TypedField({ field: { name, kind, defaultText, isNumeric }, value, onChange, ...rest }: TypedFieldProps) {
  const draft = useDraft(value, onChange)
  const typed = { ...rest, ...draft, placeholder: defaultText, spellCheck: false }
  if (kind === 'geojson' || kind === 'json' || longTexts.has(name)) return <TextAreaField {...typed} rows={3} />
  if (kind === 'time') return <TextField {...typed} type="datetime-local" />
  return <TextField {...typed} inputMode={isNumeric && kind === 'number' ? 'decimal' : 'text'} />
}

function describeEmpty({ isRequired, defaultText, kind }: InputField): string {
  if (isRequired) return words.choose
  if (defaultText === '') return words.automatic
  return words.default(kind === 'boolean' ? (defaultText === 'true' ? words.yes : words.no) : defaultText)
}
