import { CopyButton } from '../ui/copy-button.tsx'
import { Identifier } from '../ui/identifier.tsx'
import styles from './credentials.module.css'

/** A text that is entered elsewhere, with a button that copies it. */
export const CopiedValue = ({ text, copyLabel }: { text: string; copyLabel: string }) => (
  <span className={styles['copied']}>
    <Identifier id={text} />
    <CopyButton label={copyLabel} text={text} isShort />
  </span>
)
