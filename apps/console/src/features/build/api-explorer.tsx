import { useMutation } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { Client } from '@swath/client'
import { manifest, type OperationId } from '@swath/client/operations.ts'
import { createIdempotencyKey } from '../../api/idempotency-key.ts'
import { usePlatform } from '../../api/platform.tsx'
import { texts } from '../../texts.ts'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { BuildScreen } from './build-screen.tsx'
import styles from './build.module.css'

const ids = Object.keys(manifest) as OperationId[]

/** Every operation, to be found and tried as the signed-in person. */
export function ApiExplorer() {
  const navigate = useNavigate()
  const { operation, q } = useSearch({ strict: false }) as { operation?: string; q?: string }
  const chosen = ids.find((id) => id === operation) ?? null
  const words = (q ?? '').toLowerCase().split(/\s+/)
  const found = ids.filter((id) => words.every((word) => id.includes(word)))
  const show = (next: { operation?: string; q?: string }): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({
        ...(v ? { v } : {}),
        ...(q ? { q } : {}),
        ...(chosen ? { operation: chosen } : {}),
        ...next,
      }),
      replace: true,
    })
  return (
    <BuildScreen actions={<a href="/docs">{texts.build.reference}</a>}>
      <div className={styles['filters']}>
        <TextField
          type="search"
          label={texts.build.search}
          help={texts.build.operations(found.length)}
          value={q ?? ''}
          onChange={(text) => show({ q: text })}
        />
      </div>
      <ul className={styles['list']} tabIndex={-1}>
        {found.map((id) => (
          <li key={id}>
            <button type="button" aria-pressed={id === chosen} onClick={() => show({ operation: id })}>
              {id}
              {manifest[id][0] === 'spend' && <small>{texts.build.spends}</small>}
              {manifest[id][0] === 'destructive' && <small>{texts.build.destroys}</small>}
            </button>
          </li>
        ))}
      </ul>
      {chosen && <TryOperation key={chosen} operation={chosen} />}
    </BuildScreen>
  )
}

function parseInput(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? value : null
  } catch {
    return null
  }
}

/** The answer of any operation, whatever its form. */
async function callAny(client: Client, operation: OperationId, body: object): Promise<unknown> {
  const [, , form] = manifest[operation]
  if (form === 'bytes') return `${(await client.bytes(operation, body)).length} bytes`
  if (form !== 'ndjson') return client.call(operation as string, body, { idempotencyKey: createIdempotencyKey() })
  const lines: unknown[] = []
  for await (const line of client.lines(operation, body)) lines.push(line)
  return lines
}

function TryOperation({ operation }: { operation: OperationId }) {
  const { client } = usePlatform()
  const [text, setText] = useState('{}')
  const input = parseInput(text)
  const run = useMutation({
    mutationFn: async (body: object) => {
      const start = performance.now()
      const answer = await callAny(client, operation, body)
      return { answer, took_ms: Math.round(performance.now() - start) }
    },
  })
  return (
    <Section
      title={operation}
      actions={
        <>
          <a href={`/docs/reference/${operation.split('.')[0]}`}>{texts.build.reference}</a>
          <CopyCall operation={operation} input={input ?? {}} />
        </>
      }
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault()
          if (input) run.mutate(input)
        }}
      >
        <TextAreaField
          label={texts.build.input}
          error={input ? null : texts.build.invalid}
          value={text}
          onChange={setText}
          spellCheck={false}
        />
        <Button type="submit" kind="primary" isPending={run.isPending} disabled={!input}>
          {texts.build.run}
        </Button>
      </form>
      {run.isError && <ProblemNote error={run.error} />}
      {run.data && (
        <>
          <p role="status">{`${texts.build.answer} · ${texts.build.took(run.data.took_ms)}`}</p>
          <pre className={styles['answer']} tabIndex={0}>
            {typeof run.data.answer === 'string' ? run.data.answer : JSON.stringify(run.data.answer, null, 2)}
          </pre>
        </>
      )}
    </Section>
  )
}
