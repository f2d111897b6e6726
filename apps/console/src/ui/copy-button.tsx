import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { texts } from '../texts.ts'
import { Button } from './button.tsx'

const confirmation_ms = 1500

/** Copies a text, or what a function makes of it, and says so. */
export function CopyButton({ label, text }: { label: string; text: string | (() => string) }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
    setTimeout(() => setCopied(false), confirmation_ms)
  }
  return (
    <Button kind="quiet" icon={isCopied ? Check : Copy} onClick={() => void copy()}>
      {isCopied ? texts.ui.copied : label}
    </Button>
  )
}
