import { ImageOff, type LucideIcon } from 'lucide-react'
import { useImage } from '../api/use-image.ts'
import styles from './image.module.css'
import { uiTexts } from '../texts/ui.ts'
import layout from './layout.module.css'
import typography from './typography.module.css'

interface ImageProps {
  /** Null where there is no picture yet. */
  readonly path: string | null
  readonly alt: string
  readonly width: number
  readonly height: number
  /** Stands in place of a picture that does not exist. */
  readonly icon?: LucideIcon
}

/** A picture of the platform at a URL that needs the token, such as a quicklook. */
export function Image({ path, alt, width, height, icon: Icon = ImageOff }: ImageProps) {
  const { url, isMissing } = useImage(path)
  return (
    <span
      className={`${layout['sunken']} ${layout['rigid']} ${typography['muted']} ${styles['image']}`}
      style={{ width, height }}
    >
      {url && <img src={url} alt={alt} width={width} height={height} />}
      {(isMissing || path === null) && <Icon size={path === null ? 20 : 16} aria-label={uiTexts.noImage} />}
    </span>
  )
}
