import { CircleUser } from 'lucide-react'
import { Button, Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components'
import { usePlatform } from '../api/platform.tsx'
import { usePrincipal } from '../api/use-principal.ts'
import { texts } from '../texts.ts'
import menu from '../ui/menu.module.css'
import styles from './frame.module.css'
import type { Theme } from './theme.ts'

const themes: readonly Theme[] = ['system', 'dark', 'light']

export function AccountMenu({ theme, onTheme }: { theme: Theme; onTheme: (theme: Theme) => void }) {
  const { session } = usePlatform()
  const me = usePrincipal()
  return (
    <MenuTrigger>
      <Button className={styles['account']!} aria-label={texts.account.account}>
        <CircleUser size={20} aria-hidden />
      </Button>
      <Popover placement="right bottom" className={menu['popover']!}>
        <Menu className={menu['menu']!}>
          <MenuSection>
            <Header className={menu['header']!}>{me.data?.user?.email ?? texts.account.account}</Header>
            <MenuItem className={menu['item']!} onAction={() => void session.signOut()}>
              {texts.account.signOut}
            </MenuItem>
          </MenuSection>
          <MenuSection
            selectionMode="single"
            selectedKeys={[theme]}
            onSelectionChange={(keys) => onTheme(([...keys][0] as Theme | undefined) ?? 'system')}
          >
            <Header className={menu['header']!}>{texts.frame.theme.label}</Header>
            {themes.map((name) => (
              <MenuItem key={name} id={name} className={menu['item']!}>
                {texts.frame.theme[name]}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  )
}
