import { ImageOff } from 'lucide-react'
import { useImage } from '../api/use-image.ts'
import styles from './image.module.css'
import { texts } from '../texts.ts'

/** A picture of the platform at an address that needs the token, such as a quicklook. */
export function Image({ path, alt, width, height }: { path: string; alt: string; width: number; height: number }) {
  const { url, isMissing } = useImage(path)
  return (
    <span className={styles['image']} style={{ width, height }}>
      {url && <img src={url} alt={alt} width={width} height={height} />}
      {isMissing && <ImageOff size={16} aria-label={texts.ui.noImage} />}
    </span>
  )
}
