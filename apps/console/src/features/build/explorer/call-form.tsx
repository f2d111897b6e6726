import type { OperationId } from '@swath/client/operations.ts'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { createIdempotencyKey } from '../../../api/idempotency-key.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { buildTexts } from '../../../texts/build.ts'
import { Button } from '../../../ui/button.tsx'
import { CallSamples } from '../../../ui/calls/call-samples.tsx'
import { TextAreaField } from '../../../ui/field.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { Section } from '../../../ui/screen.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { ConfirmCall, isConfirmed } from './confirm-call.tsx'
import { InputForm } from './input-form.tsx'
import { type CallBody, type CallResponse, runCall } from './run-call.ts'
import { useCallInput } from './use-call-input.ts'
import type { OperationDocument } from './use-openapi.ts'
import type { SchemaTable } from '../../../schema-form/schema-fields.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { CircleCheck, CircleX } from 'lucide-react'
import { Badge } from '../../../ui/badge.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { saveFile } from '../../../ui/save-file.ts'

/** The response of a call: status, time, headers and body. */
function Answer({ operation, response }: { operation: string; response: CallResponse }) {
  const { status, isOk, duration_ms, headers, body } = response
  return (
    <Section
      title={buildTexts.answer}
      actions={body.kind === 'text' && <CopyButton label={buildTexts.copyBody} text={body.text} />}
    >
      <p role="status" className={layout['line']}>
        <Badge icon={isOk ? CircleCheck : CircleX} tone={isOk ? 'good' : 'bad'}>
          {String(status)}
        </Badge>
        <span className="figures">{buildTexts.took(duration_ms)}</span>
      </p>
      <Body operation={operation} body={body} />
      <details>
        <summary>{buildTexts.headers}</summary>
        <Facts facts={headers.map(([name, value]) => [name, <code key={name}>{value}</code>])} />
      </details>
    </Section>
  )
}

function Body({ operation, body }: { operation: string; body: CallBody }) {
  if (body.kind === 'image') return <Picture blob={body.blob} label={operation} />
  if (body.kind === 'bytes')
    return (
      <div>
        <Button onClick={() => saveFile(body.blob, operation)}>{buildTexts.save(formatBytes(body.blob.size))}</Button>
      </div>
    )
  return (
    <>
      <pre tabIndex={0} aria-label={buildTexts.answer}>
        {body.text}
      </pre>
      {body.isCut && <small>{buildTexts.cut}</small>}
    </>
  )
}

function Picture({ blob, label }: { blob: Blob; label: string }) {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const created = URL.createObjectURL(blob)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [blob])
  return url && <img className={layout['box']} src={url} alt={label} />
}

const words = buildTexts.form

/** The input of an operation as a form or as JSON, the call, and its answer. */
export function CallForm({ operation, schemas }: { operation: OperationDocument; schemas: SchemaTable }) {
  const { client } = usePlatform()
  const form = useCallInput(operation.input, schemas)
  const element = useRef<HTMLFormElement>(null)
  const [tries, setTries] = useState(0)
  // The first field that is wrong may be out of view.
  useEffect(() => element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus(), [tries])
  const [isAsking, setAsking] = useState(false)
  // One key for one input: a repeated call of it does nothing twice.
  const attempt = useRef<{ text: string; key: string } | null>(null)
  const run = useMutation({
    mutationFn: (input: object) => {
      const text = JSON.stringify(input)
      if (attempt.current?.text !== text) attempt.current = { text, key: createIdempotencyKey() }
      return runCall(client, operation.id, input, operation.isIdempotent ? attempt.current.key : null)
    },
    onSuccess: ({ isOk }) => {
      if (isOk) attempt.current = null
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    setTries((before) => before + 1)
    if (!form.input || run.isPending) return
    if (isConfirmed(operation.effect)) setAsking(true)
    else run.mutate(form.input)
  }
  return (
    <>
      <Section title={buildTexts.input}>
        {form.fields.length > 0 && (
          <Segments
            label={buildTexts.input}
            choices={words.modes}
            value={form.mode}
            onChange={(mode) => form.setMode(mode)}
          />
        )}
        <form ref={element} className={layout['stack12']} onSubmit={submit} noValidate>
          {form.mode === 'json' ? (
            <TextAreaField
              label={words.json}
              error={form.input ? null : buildTexts.invalid}
              value={form.json}
              onChange={form.setJson}
              spellCheck={false}
              rows={10}
            />
          ) : (
            <>
              {form.fields.length === 0 && <p className={typography['muted']}>{words.none}</p>}
              <InputForm
                fields={form.fields}
                texts={form.texts}
                faults={tries > 0 ? form.faults : {}}
                onChange={form.setText}
              />
            </>
          )}
          <div className={layout['wrap']}>
            <Button type="submit" kind="primary" isPending={run.isPending}>
              {buildTexts.run}
            </Button>
          </div>
        </form>
        {run.isError && <ProblemNote error={run.error} />}
      </Section>
      {run.data && <Answer operation={operation.id} response={run.data} />}
      <Section title={buildTexts.sample}>
        <CallSamples operation={operation.id as OperationId} input={form.input ?? form.draft} />
      </Section>
      {isAsking && form.input && (
        <ConfirmCall
          operation={operation}
          input={form.input}
          onClose={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            run.mutate(form.input!)
          }}
        />
      )}
    </>
  )
}
