import { CircleCheck, CircleX } from 'lucide-react'
import { useEffect, useState } from 'react'
import { texts } from '../../../texts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { saveFile } from '../../../ui/save-file.ts'
import { Section } from '../../../ui/screen.tsx'
import type { CallBody, CallResponse } from './run-call.ts'
import layout from '../../../ui/layout.module.css'

/** The response of a call: status, time, headers and body. */
export function Answer({ operation, response }: { operation: string; response: CallResponse }) {
  const { status, isOk, duration_ms, headers, body } = response
  return (
    <Section
      title={texts.build.answer}
      actions={body.kind === 'text' && <CopyButton label={texts.build.copyBody} text={body.text} />}
    >
      <p role="status" className={layout['line']}>
        <Badge icon={isOk ? CircleCheck : CircleX} tone={isOk ? 'good' : 'bad'}>
          {String(status)}
        </Badge>
        <span className="figures">{texts.build.took(duration_ms)}</span>
      </p>
      <Body operation={operation} body={body} />
      <details>
        <summary>{texts.build.headers}</summary>
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
        <Button onClick={() => saveFile(body.blob, operation)}>{texts.build.save(formatBytes(body.blob.size))}</Button>
      </div>
    )
  return (
    <>
      <pre tabIndex={0} aria-label={texts.build.answer}>
        {body.text}
      </pre>
      {body.isCut && <small>{texts.build.cut}</small>}
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
