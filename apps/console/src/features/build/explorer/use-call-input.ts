import { useMemo, useState } from 'react'
import {
  readFields,
  readForm,
  writeForm,
  type FieldFault,
  type InputField,
} from '../../../schema-form/schema-fields.ts'
import type { InputSchema, SchemaTable } from '../../../schema-form/schema-fields.ts'

export type InputMode = 'form' | 'json'

export interface CallInput {
  readonly fields: readonly InputField[]
  readonly mode: InputMode
  readonly texts: Readonly<Record<string, string>>
  readonly json: string
  readonly faults: Readonly<Record<string, FieldFault>>
  /** Null while it cannot be sent. */
  readonly input: object | null
  /** The input as entered so far. */
  readonly draft: object
  readonly setMode: (mode: InputMode) => void
  readonly setText: (name: string, text: string) => void
  readonly setJson: (json: string) => void
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}

/** The input of a call, entered as a form or as JSON; the entered values stay when one changes to the other. */
export function useCallInput(schema: InputSchema, schemas: SchemaTable): CallInput {
  const fields = useMemo(() => readFields(schema, schemas), [schema, schemas])
  const [mode, setShownMode] = useState<InputMode>('form')
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({})
  const [json, setJson] = useState('{}')
  const { input: draft, faults } = readForm(fields, texts)
  const isComplete = Object.keys(faults).length === 0
  const setMode = (next: InputMode): void => {
    if (next === 'json') setJson(JSON.stringify(draft, null, 2))
    else setTexts(writeForm(fields, parseObject(json) ?? draft))
    setShownMode(next)
  }
  return {
    fields,
    mode,
    texts,
    json,
    faults,
    input: mode === 'json' ? parseObject(json) : isComplete ? draft : null,
    draft,
    setMode,
    setText: (name, text) => setTexts((before) => ({ ...before, [name]: text })),
    setJson,
  }
}
