import './part';
