import { InAppBrowser } from 'react-native-inappbrowser-reborn';
import { createInAppBrowser } from './in-app-browser.ts';
import { registerBrowser } from './native-browser.ts';
import { platform } from './react-native-platform.ts';

registerBrowser(createInAppBrowser(InAppBrowser, platform));
