import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { Hello } from './client/hello';

createRoot(document.body).render(createElement(Hello));
