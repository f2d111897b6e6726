import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { uiTexts } from '../texts/ui.ts'
import { Button } from './button.tsx'

const confirmation_ms = 1500

interface CopyButtonProps {
  readonly label: string
  readonly text: string | (() => string)
  /**
   * For a button beside the text that it copies: its label is read out and shown on hover, and the confirmation is
   * written.
   */
  readonly isShort?: boolean
}

/** Copies a text, or the result of a function, and says so. */
export function CopyButton({ label, text, isShort = false }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
    setCopied(true)
    setTimeout(() => setCopied(false), confirmation_ms)
  }
  const shown = isCopied ? uiTexts.copied : label
  return (
    <Button
      kind="quiet"
      icon={isCopied ? Check : Copy}
      onClick={() => void copy()}
      {...(isShort ? { 'aria-label': shown, title: shown } : {})}
    >
      {(!isShort || isCopied) && shown}
    </Button>
  )
}
